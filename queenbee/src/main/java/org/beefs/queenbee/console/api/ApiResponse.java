package org.beefs.queenbee.console.api;

/**
 * Its answer.
 *
 * @param status as HTTP has them
 * @param body to be written as JSON; a {@link Problem} for a failure
 */
public record ApiResponse(int status, Object body) {
    public boolean isProblem() {
        return body instanceof Problem;
    }
}
