package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.beefs.common.posix.FileMode;
import org.beefs.queenbee.journal.StateBatch;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the namespace in memory costs, without requests, journal and network.
 * {@link org.beefs.queenbee.measurement.Benchmarks} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class NamespaceBenchmark {
    /** Changes whose records a pass gathers. */
    private static final int CHANGES_OF_A_PASS = 256;

    private static final Mutation.Birth BIRTH = new Mutation.Birth(FileMode.REGULAR | 0644, 1000, 1000, 0, 1);
    private static final ByteString NEW_NAME = ByteString.copyFromUtf8("Minutes.odt");

    /** In the one directory that there is. */
    @Param({"100", "100000"})
    int entries;

    private final Namespace namespace = new Namespace();
    private StateBatch batch = new StateBatch();
    private ByteString[] names = {};
    private byte[] record = {};
    private long lastInode = Namespace.ROOT;
    private long lastCookie = 2;
    private long sequence;
    private int next;

    @Setup
    public void fill() {
        namespace.makeRoot(0, 0, 1, ++sequence, batch);
        names = new ByteString[entries];
        for (int i = 0; i < entries; i++) {
            names[i] = ByteString.copyFromUtf8("Report " + i + ".odt");
            make(names[i]);
        }
        record = InodeRecords.encode(file());
        // No pass has gathered so much.
        batch = new StateBatch();
    }

    @Benchmark
    public @Nullable Inode find() {
        return namespace.find(2 + next());
    }

    @Benchmark
    public @Nullable Dentry findName() {
        return directory().find(names[next()]);
    }

    /** With the records of both, but without writing them. */
    @Benchmark
    public void makeAndRemove() {
        make(NEW_NAME);
        namespace.apply(new Mutation.RemoveLink(Namespace.ROOT, NEW_NAME, 2), ++sequence, batch);
        namespace.apply(new Mutation.Reap(lastInode), ++sequence, batch);
        if (sequence % CHANGES_OF_A_PASS < 3) {
            batch.clear();
        }
    }

    @Benchmark
    public byte[] encodeRecord() {
        return InodeRecords.encode(file());
    }

    @Benchmark
    public Inode decodeRecord() throws IOException {
        return InodeRecords.decode(2, CodedInputStream.newInstance(record));
    }

    private void make(ByteString name) {
        namespace.apply(
                new Mutation.MakeInode(
                        Namespace.ROOT,
                        name,
                        ++lastCookie,
                        ++lastInode,
                        BIRTH,
                        ByteString.EMPTY,
                        new Mutation.FirstReplica(1, 1, false)),
                ++sequence,
                batch);
    }

    private Directory directory() {
        return Objects.requireNonNull(namespace.find(Namespace.ROOT)).directory();
    }

    private Inode file() {
        return Objects.requireNonNull(namespace.find(2));
    }

    private int next() {
        next = (next + 1) % entries;
        return next;
    }
}
