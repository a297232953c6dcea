package org.beefs.queenbee.console.login;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What somebody may do. */
public enum Role {
    /** See everything. */
    VIEWER,
    /** Also change things. */
    ADMINISTRATOR;

    /** As people and files write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> of(String word) {
        return Stream.of(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
