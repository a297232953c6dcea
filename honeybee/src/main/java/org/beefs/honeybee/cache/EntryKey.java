package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;

/** A name in a directory. */
record EntryKey(long directory, ByteString name) {}
