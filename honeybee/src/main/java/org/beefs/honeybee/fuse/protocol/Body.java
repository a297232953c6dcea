package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;

/**
 * What follows the header of a request, readable until the reader goes on to the next request. A request shorter than
 * it must be fails with {@link IndexOutOfBoundsException}.
 */
public record Body(MemorySegment bytes) {
    public int int32(long offset) {
        return bytes.get(JAVA_INT_UNALIGNED, offset);
    }

    public long int64(long offset) {
        return bytes.get(JAVA_LONG_UNALIGNED, offset);
    }

    /** The name that begins there. Fails with ENAMETOOLONG for one that no directory of a hive can hold. */
    public ByteString name(long offset) {
        ByteString name = string(offset);
        if (name.size() > FileName.LONGEST) {
            throw new PosixException(Errno.ENAMETOOLONG, "the name has " + name.size() + " bytes");
        }
        return name;
    }

    /** The bytes from there to the next NUL. */
    public ByteString string(long offset) {
        long end = offset;
        while (bytes.get(JAVA_BYTE, end) != 0) {
            end++;
        }
        return copy(offset, end - offset);
    }

    public ByteString copy(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, bytes.byteSize());
        byte[] copy = new byte[(int) length];
        MemorySegment.copy(bytes, offset, MemorySegment.ofArray(copy), 0, length);
        return UnsafeByteOperations.unsafeWrap(copy);
    }
}
