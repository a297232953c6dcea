/** The index of a honeycomb's replicas: what can be listed without walking the folder. */
@NullMarked
package org.beefs.honeycomb.catalog;

import org.jspecify.annotations.NullMarked;
