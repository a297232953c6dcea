package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.beefs.common.archive.FolderArchive;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.Altered;
import org.beefs.common.config.ByteSize;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.Read;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Seals;
import org.beefs.common.wire.Write;
import org.beefs.honeycomb.disk.UserXattrs;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;
import org.beefs.honeycomb.server.DiskThreads;
import org.beefs.honeycomb.store.ReplicaStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real folder, RocksDB, threads and TCP. */
class HoneycombOnDiskTest {
    private static final int MIB = 1 << 20;
    private static final Hello HELLO = Hello.newBuilder()
            .setProtocol(RpcConnection.PROTOCOL)
            .setRole("desktop")
            .build();

    private static final ByteString HIVE = ByteString.copyFromUtf8("the hive's number");

    @TempDir
    Path folder;

    private final PooledByteBufAllocator buffers = new PooledByteBufAllocator(true);
    private final TcpNetwork network = new TcpNetwork();
    private final SystemTimers timers = new SystemTimers();
    private final DiskThreads threads = new DiskThreads(2);

    @BeforeEach
    void checkFileSystem() throws IOException {
        UserXattrs.require(folder);
    }

    @AfterEach
    void stop() {
        network.close();
        threads.close();
        timers.close();
        assertThat(buffers.metric().directArenas().stream()
                        .mapToLong(arena -> arena.numActiveAllocations())
                        .sum())
                .as("buffers that were not released")
                .isZero();
    }

    private Honeycomb open() throws IOException {
        HoneycombConfig config = Altered.copy(
                HoneycombConfig.defaults(),
                Map.of(
                        "folder", folder.resolve("comb"),
                        "capacity", Optional.of(new ByteSize(64 * MIB)),
                        "reserve", Optional.of(new ByteSize(0)),
                        "openFiles", 8,
                        "threads", 2));
        HoneycombWorld world = new HoneycombWorld(
                network,
                new SystemClock(),
                timers,
                new Random(1),
                buffers,
                threads.io(),
                threads.syncs(),
                threads.fencing(),
                Pressure.UNKNOWN,
                User.UNKNOWN,
                Optional::empty,
                "start");
        Honeycomb honeycomb = Honeycomb.open(config, HELLO, world);
        honeycomb.registered(Long.MAX_VALUE, HoneycombOffer.getDefaultInstance(), List.of());
        return honeycomb;
    }

    private RpcConnection connect(Honeycomb honeycomb) {
        return RpcConnection.connect(
                        network,
                        timers,
                        Addresses.parse(honeycomb.address()),
                        Duration.ofSeconds(5),
                        HELLO,
                        _ -> new NoService<>(DataRequest.parser()))
                .join();
    }

    private static byte[] content() {
        byte[] bytes = new byte[MIB];
        new Random(2).nextBytes(bytes);
        return bytes;
    }

    private static DataReply write(RpcConnection on, byte[] bytes) {
        DataRequest request = DataRequest.newBuilder()
                .setSession(1)
                .setSequence(1)
                .setTarget(target(5))
                .setWrite(Write.newBuilder())
                .build();
        Payload payload = new Payload.Bytes(Unpooled.wrappedBuffer(bytes));
        Message<DataReply> reply = on.call(
                        new Outgoing(request, payload), DataReply.parser(), Duration.ofSeconds(30), _ -> {})
                .join();
        reply.payload().close();
        return reply.body();
    }

    private static byte[] read(RpcConnection on) {
        DataRequest request = DataRequest.newBuilder()
                .setSession(1)
                .setTarget(target(5))
                .setRead(Read.newBuilder().setLength(MIB))
                .build();
        Message<DataReply> reply =
                on.call(request, DataReply.parser(), Duration.ofSeconds(30)).join();
        ByteBuf buffer = ((Payload.Bytes) reply.payload()).buffer();
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        reply.payload().close();
        return bytes;
    }

    @Test
    void shouldLeaveNobodyWithoutKnowingWhatHasBecomeOfARequestWhenItStops() throws IOException {
        Honeycomb first = open();
        RpcConnection connection = connect(first);
        List<CompletableFuture<Message<DataReply>>> appends = LongStream.rangeClosed(1, 500)
                .mapToObj(sequence -> append(connection, sequence))
                .toList();
        appends.get(10).join().payload().close();

        first.close();

        long made = 0;
        for (CompletableFuture<Message<DataReply>> append : appends) {
            Errno errno = append.handle(
                            (_, e) -> e == null ? null : Failures.toPosix(e).errno())
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            assertThat(errno).isIn(null, Errno.EAGAIN);
            made += errno == null ? 1 : 0;
        }
        try (Honeycomb second = open()) {
            assertThat(read(connect(second))).hasSize((int) made);
        }
    }

    private static CompletableFuture<Message<DataReply>> append(RpcConnection on, long sequence) {
        DataRequest request = DataRequest.newBuilder()
                .setSession(1)
                .setSequence(sequence)
                .setTarget(target(5))
                .setWrite(Write.newBuilder().setAppend(true))
                .build();
        Payload payload = new Payload.Bytes(Unpooled.wrappedBuffer(new byte[1]));
        return on.call(new Outgoing(request, payload), DataReply.parser(), Duration.ofSeconds(30), _ -> {});
    }

    @Test
    void shouldServeFilesOverTcpAndKeepThem() throws IOException {
        byte[] content = content();
        try (Honeycomb honeycomb = open()) {
            RpcConnection connection = connect(honeycomb);
            assertThat(write(connection, content).getStatuses(0).getSize()).isEqualTo(MIB);
            assertThat(read(connection)).isEqualTo(content);
            assertThat(honeycomb.replicas().sync(target(5), false).join().getSize())
                    .isEqualTo(MIB);
        }
        try (Honeycomb honeycomb = open()) {
            assertThat(honeycomb.boot()).isEqualTo(2);
            assertThat(honeycomb.space().getUsed()).isEqualTo(MIB);
            assertThat(read(connect(honeycomb))).isEqualTo(content);
            assertThat(honeycomb.inventory(null, 10).join()).containsExactly(name(5));
        }
    }

    /** File systems that do not say what they have in memory, as tmpfs of older kernels, have nothing there. */
    @Test
    void shouldSendWhatIsInMemoryFromItsFile() throws IOException {
        byte[] content = content();
        try (Honeycomb honeycomb = open()) {
            write(connect(honeycomb), content);
        }
        try (Honeycomb honeycomb = open()) {
            ReplicaStore store = (ReplicaStore) honeycomb.replicas();
            store.read(target(5), 0, 10).join().close();
            Payload atHand = store.readAtHand(target(5), 0, 10);
            assumeThat(atHand).isNotNull();
            Objects.requireNonNull(atHand).close();

            try (Payload sent = store.readForSending(target(5), 0, MIB).join()) {
                assertThat(sent).isInstanceOf(Payload.FileSlice.class);
            }
            assertThat(read(connect(honeycomb))).isEqualTo(content);
        }
    }

    @Test
    void shouldReadAndWriteInTheSameProcess() throws IOException {
        byte[] content = content();
        try (Honeycomb honeycomb = open()) {
            ByteBuf buffer = buffers.directBuffer().writeBytes(content);
            honeycomb.replicas().write(target(5), 3, false, buffer).join();
            buffer.release();
            Payload read = honeycomb.replicas().read(target(5), 3, MIB).join();
            ByteBuf found = ((Payload.Bytes) read).buffer();
            assertThat(found.equals(Unpooled.wrappedBuffer(content))).isTrue();
            read.close();
        }
    }

    @Test
    void shouldRefuseAFolderThatIsInUse() throws IOException {
        try (Honeycomb honeycomb = open()) {
            assertThat(honeycomb.boot()).isEqualTo(1);
            assertThatThrownBy(this::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("used by another process");
        }
    }

    /** How it is written, DESIGN.md says. */
    @ParameterizedTest
    @ValueSource(ints = 1)
    void shouldOpenAFolder(int format) throws IOException {
        unpack(format);
        try (Honeycomb honeycomb = open()) {
            assertThat(honeycomb.boot()).isEqualTo(2);
            assertThat(honeycomb.inventory(null, 10).join())
                    .containsExactly(name(5).toBuilder().setVersion(7).build());
            Payload read = honeycomb.replicas().read(target(5), 0, 100).join();
            assertThat(((Payload.Bytes) read).buffer().toString(StandardCharsets.UTF_8))
                    .isEqualTo("content");
            read.close();
            RecordsState records = honeycomb.offer(null).join().getRecords();
            assertThat(records.getHive()).isEqualTo(HIVE);
            assertThat(records.getComplete()).isEqualTo(42);
        }
    }

    private void unpack(int format) throws IOException {
        Files.createDirectories(folder.resolve("comb"));
        try (InputStream archive =
                HoneycombOnDiskTest.class.getResourceAsStream("/formats/honeycomb-%d.zip".formatted(format))) {
            FolderArchive.unpack(
                    Objects.requireNonNull(archive, "the fixture is in the repository"), folder.resolve("comb"));
        }
    }

    /** As {@code cp -r} and {@code rsync -a} make. */
    @Test
    void shouldRefuseACopyWithoutExtendedAttributesAndTouchNothing() throws IOException {
        unpack(1);
        List<Path> replicas;
        try (Stream<Path> files = Files.walk(folder.resolve("comb/replicas"))) {
            replicas = files.filter(Files::isRegularFile).toList();
        }
        for (Path replica : replicas) {
            Files.getFileAttributeView(replica, UserDefinedFileAttributeView.class)
                    .delete("beefs.replica");
        }
        String identity = Files.readString(folder.resolve("comb/honeycomb.json"));

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("rsync -aHAXS");

        assertThat(replicas)
                .isNotEmpty()
                .allSatisfy(replica -> assertThat(replica).exists());
        assertThat(folder.resolve("comb/honeycomb.json")).hasContent(identity);
    }

    @Test
    @EnabledIfSystemProperty(named = "beefs.fixtures", matches = "write")
    void writeAFolderOfTodaysFormat() throws IOException {
        try (Honeycomb honeycomb = open()) {
            ByteBuf buffer = buffers.directBuffer().writeBytes("content".getBytes(StandardCharsets.UTF_8));
            ReplicaStatus written =
                    honeycomb.replicas().write(target(5), 0, false, buffer).join();
            buffer.release();
            Seal seal = Seal.newBuilder()
                    .setReplica(name(5))
                    .setVersion(7)
                    .setSize(written.getSize())
                    .setMtime(written.getMtime())
                    .build();
            ask(
                    honeycomb,
                    DesktopRequest.newBuilder().setSeal(Seals.newBuilder().addSeals(seal)));
            Records records = Records.newBuilder()
                    .setHive(HIVE)
                    .addRecords(Record.newBuilder().setInode(5).setSequence(41).setContent(HIVE))
                    .setComplete(42)
                    .setAsOf(42)
                    .build();
            ask(honeycomb, DesktopRequest.newBuilder().setRecords(records));
        }
        Path formats = Files.createDirectories(Path.of("src/test/resources/formats"));
        FolderArchive.pack(folder.resolve("comb"), formats.resolve("honeycomb-new.zip"));
    }

    private static void ask(Honeycomb honeycomb, DesktopRequest.Builder request) {
        assertThat(honeycomb.serve(request.build()).join().hasFailure()).isFalse();
    }

    @Test
    void shouldRefuseAFolderOfANewerFormatAndTouchNothing() throws IOException {
        open().close();
        Path identity = folder.resolve("comb/honeycomb.json");
        Files.writeString(identity, Files.readString(identity).replaceFirst("\"format\" : 1", "\"format\" : 2"));
        Files.writeString(folder.resolve("comb/catalog/CURRENT"), "something that only a newer program knows");
        Files.writeString(folder.resolve("comb/incoming/version"), "what a newer program goes on with");
        Files.writeString(folder.resolve("comb/probe"), "the same");
        Files.deleteIfExists(folder.resolve("comb/spare"));
        String before = listing();

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("newer BeeFS");

        assertThat(listing()).isEqualTo(before);
    }

    private String listing() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("comb"))) {
            return files.filter(file -> Files.isRegularFile(file) && !file.endsWith("lock"))
                    .sorted()
                    .map(path -> path + " " + path.toFile().length() + " "
                            + path.toFile().lastModified())
                    .toList()
                    .toString();
        }
    }
}
