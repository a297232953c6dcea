/** Records of the namespace in the honeycombs' catalogs: who has which, and what each has yet to be told. */
@NullMarked
package org.beefs.queenbee.records;

import org.jspecify.annotations.NullMarked;
