package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.beefs.common.posix.Errno;
import org.beefs.common.request.RequestIds;
import org.jspecify.annotations.Nullable;

/**
 * A call as it is shown. Its JSON is an interface: fields are added, never renamed.
 *
 * @param time when it began, in ISO 8601
 * @param operation such as lookup
 * @param inode what it is about: the directory of the name if there is one; 0 when that is not known
 * @param name of the entry, if it is about one
 * @param path of what it is about, below the directory that is traced; null where that is not known
 * @param thread of the program that waits; 0 when the kernel names none
 * @param micros how long it took, or has taken so far
 * @param error why it failed, such as EIO; null if it has not
 * @param request its id in the logs of all roles
 * @param waits what it waits for, or was seen waiting for last
 */
public record TracedCall(
        String time,
        String operation,
        long inode,
        @Nullable String name,
        @Nullable String path,
        int thread,
        long micros,
        @Nullable String error,
        String request,
        List<Reason> waits) {
    /**
     * Something that it waits for.
     *
     * @param kind turn, disk, queen-bee, honeycomb, connection, lock, write-behind or unknown
     * @param text for people: goes on after "waits for"
     */
    public record Reason(String kind, String text) {
        static Reason of(Wait wait) {
            String kind = wait.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
            return new Reason(kind, wait.text());
        }
    }

    /** At most so many characters of JSON, in which a character may take six. */
    int characters() {
        int texts = length(name) + length(path);
        for (Reason reason : waits) {
            texts += reason.text.length();
        }
        return 500 + 6 * texts;
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    static TracedCall of(Call call, @Nullable String path, Instant began, long nanos, @Nullable Errno errno) {
        ByteString name = call.name();
        return new TracedCall(
                began.toString(),
                call.operation(),
                call.inode(),
                name == null ? null : name.toStringUtf8(),
                path,
                call.thread(),
                nanos / 1000,
                errno == null ? null : errno.name(),
                RequestIds.text(call.id()),
                call.waits().stream().map(Reason::of).toList());
    }
}
