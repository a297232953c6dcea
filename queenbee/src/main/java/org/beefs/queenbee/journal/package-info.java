/**
 * What is written before it is answered: numbered changes, their records in one batch per pass, and the store on disk
 * with its group commit.
 */
@NullMarked
package org.beefs.queenbee.journal;

import org.jspecify.annotations.NullMarked;
