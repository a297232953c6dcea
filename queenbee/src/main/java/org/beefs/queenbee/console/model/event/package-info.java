/** What has happened in the hive lately, and who was there. */
@NullMarked
package org.beefs.queenbee.console.model.event;

import org.jspecify.annotations.NullMarked;
