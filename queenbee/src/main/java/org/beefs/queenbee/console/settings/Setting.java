package org.beefs.queenbee.console.settings;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * A setting of the queen-bee.
 *
 * @param name with its table, as the configuration file has it
 * @param value now
 * @param next from the next start on, as the configuration file says
 * @param standard what it is unless the file says otherwise
 * @param effect what it does
 */
public record Setting(String name, String value, String next, String standard, String effect) {
    @JsonIgnore
    public boolean isChanged() {
        return !value.equals(standard);
    }

    /** Whether that waits for the next start. */
    @JsonIgnore
    public boolean isToChange() {
        return !next.equals(value);
    }
}
