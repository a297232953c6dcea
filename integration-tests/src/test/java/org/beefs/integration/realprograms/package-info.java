/** Programs that everybody uses, at work in a hive. What each does is a script among the resources. */
@NullMarked
package org.beefs.integration.realprograms;

import org.jspecify.annotations.NullMarked;
