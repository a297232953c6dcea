package org.beefs.honeycomb.pace;

import org.beefs.common.wire.UserActivity;

/** Whoever sits at this machine. Thread-safe. */
@FunctionalInterface
public interface User {
    /** The user where nobody can tell. */
    User UNKNOWN = () -> UserActivity.UNKNOWN;

    /** Whether he is there and uses it. */
    UserActivity activity();
}
