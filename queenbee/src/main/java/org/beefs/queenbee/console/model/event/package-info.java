/** What has happened in the hive lately. */
@NullMarked
package org.beefs.queenbee.console.model.event;

import org.jspecify.annotations.NullMarked;
