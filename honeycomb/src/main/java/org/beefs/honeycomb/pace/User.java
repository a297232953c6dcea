package org.beefs.honeycomb.pace;

import org.beefs.common.wire.UserActivity;

/** The person at this machine. Thread-safe. */
@FunctionalInterface
public interface User {
    /** The user where nobody can tell. */
    User UNKNOWN = () -> UserActivity.UNKNOWN;

    /** Whether the person is there and uses the machine. */
    UserActivity activity();
}
