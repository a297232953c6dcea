package org.beefs.simulator.model;

import com.google.protobuf.ByteString;
import java.util.Map;

/** What can be seen of an inode by its path, content and times apart. */
public record Sight(
        long inode, int mode, int links, int uid, int gid, ByteString target, Map<ByteString, ByteString> xattrs) {}
