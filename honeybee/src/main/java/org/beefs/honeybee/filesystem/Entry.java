package org.beefs.honeybee.filesystem;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a directory listing.
 *
 * @param name its name
 * @param inode what it names
 * @param type file type bits of st_mode
 * @param cookie its position, above 2
 * @param attributes only when the listing was asked for with them
 */
public record Entry(
        ByteString name,
        long inode,
        int type,
        long cookie,
        @Nullable Attributes attributes) {}
