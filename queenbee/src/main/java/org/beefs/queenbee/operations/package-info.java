/**
 * One class for each request, in the packages below: resolve, check permission, check existence, one change, answer.
 * Here is what they share. {@code server.request.Operations} says which serves which request.
 */
@NullMarked
package org.beefs.queenbee.operations;

import org.jspecify.annotations.NullMarked;
