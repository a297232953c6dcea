package org.beefs.queenbee.console.api;

import java.util.List;

/**
 * An answer of the REST interface.
 *
 * @param status as HTTP has them
 * @param body to be written as JSON; a {@link Problem} for a failure
 * @param allowed methods that there are for the path, when the one that was asked is not; otherwise empty
 */
public record ApiResponse(int status, Object body, List<String> allowed) {
    static ApiResponse of(int status, Object body) {
        return new ApiResponse(status, body, List.of());
    }

    public static ApiResponse of(Problem problem) {
        return of(problem.status(), problem);
    }

    public boolean isProblem() {
        return body instanceof Problem;
    }
}
