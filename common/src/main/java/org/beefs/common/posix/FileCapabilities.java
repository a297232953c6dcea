package org.beefs.common.posix;

import com.google.protobuf.ByteString;

/**
 * The capabilities that a file gives to whoever runs it, beside set-id bits. They go when the content is changed, by
 * whomever, and with the owner.
 */
public final class FileCapabilities {
    /** The extended attribute that holds them. */
    public static final ByteString XATTR = ByteString.copyFromUtf8("security.capability");

    private FileCapabilities() {}
}
