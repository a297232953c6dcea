package org.beefs.queenbee.console.settings;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * A setting of the queen-bee.
 *
 * @param name with its table, as the configuration file has it
 * @param value now
 * @param standard what it is unless the file says otherwise
 * @param effect what it does
 */
public record Setting(String name, String value, String standard, String effect) {
    @JsonIgnore
    public boolean isChanged() {
        return !value.equals(standard);
    }
}
