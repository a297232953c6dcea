package org.beefs.common.posix;

import com.google.protobuf.ByteString;

/** What a program may do whoever runs it, beside set-id bits. Goes when somebody without privilege changes the file. */
public final class FileCapabilities {
    /** The extended attribute that holds them. */
    public static final ByteString XATTR = ByteString.copyFromUtf8("security.capability");

    private FileCapabilities() {}
}
