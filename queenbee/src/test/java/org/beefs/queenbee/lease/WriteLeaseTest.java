package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.SetAttributes;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One desktop at a time may hold back what it writes, and nobody else sees the file meanwhile. */
class WriteLeaseTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop home = new TestDesktop(hive, "home").registered();
    private final TestDesktop writer = withoutHoneycomb("writer");
    private final TestDesktop other = withoutHoneycomb("other");
    private long file;

    @BeforeEach
    void createFile() {
        other.ok(Ask.list(ROOT, 0, 10)); // so that nobody is delegated the directory
        Node created = writer.ok(Ask.create(ROOT, "f", 0644, 1)).getNode();
        file = created.getAttributes().getInode();
        assertThat(created.getWriteLeased()).isTrue();
    }

    @Test
    void shouldGrantItAgainWithEachOpenForWriting() {
        assertThat(open(writer, 2, true).getWriteLeased()).isTrue();
        assertThat(open(writer, 3, false).getWriteLeased()).isFalse();
    }

    static Stream<LongFunction<QueenRequest.Builder>> looks() {
        return Stream.of(
                file -> Ask.lookup(ROOT, "f"),
                Ask::attributes,
                file -> Ask.open(file, 10, true, false),
                file -> Ask.open(file, 10, true, true),
                file -> Ask.create(ROOT, "f", 0644, 10),
                file -> Ask.chmod(file, 0600),
                file -> Ask.change(SetAttributes.newBuilder().setInode(file).setClearPrivileges(true)),
                file -> Ask.link(file, ROOT, "g"),
                file -> Ask.rename(ROOT, "f", ROOT, "g"));
    }

    @ParameterizedTest
    @MethodSource("looks")
    void shouldRecallItBeforeAnybodyElseSeesTheFile(LongFunction<QueenRequest.Builder> look) {
        writer.holdOn();

        CompletableFuture<QueenReply> seen = other.submit(look.apply(file));

        assertThat(seen).isNotDone();
        assertThat(writer.recalls())
                .singleElement()
                .satisfies(recall -> assertThat(recall.getInodesList()).contains(file));
        writer.letGo();
        assertThat(seen).isCompleted();
        assertThat(seen.join().hasFailure()).isFalse();
    }

    /** What the writer has said meanwhile is still on its way. */
    @Test
    void shouldRecallItThoughTheQueenBeeHerselfWasStopped() {
        writer.holdOn();
        hive.time().jump(Duration.ofSeconds(6));

        CompletableFuture<QueenReply> seen = other.submit(Ask.attributes(file));

        assertThat(seen).isNotDone();
        assertThat(writer.recalls()).hasSize(1);
        writer.letGo();
        assertThat(seen).isCompleted();
    }

    @Test
    void shouldLetAnyNumberOfLooksWaitForIt() {
        writer.holdOn();
        QueenRequest look = Ask.attributes(file).setSession(other.session()).build();
        List<CompletableFuture<QueenReply>> seen = List.of(other.submit(look), other.submit(look), other.submit(look));
        assertThat(seen).noneMatch(CompletableFuture::isDone);

        writer.letGo();

        assertThat(seen).allMatch(CompletableFuture::isDone);
        assertThat(writer.recalls()).hasSize(1);
    }

    @Test
    void shouldNotGrantItWhileOthersHaveTheFileOpen() {
        other.ok(Ask.open(file, 10, true, false));
        assertThat(open(writer, 2, true).getWriteLeased()).isFalse();
    }

    @Test
    void shouldNotGrantItWhileOthersMayCacheAnythingOfTheFile() {
        other.ok(Ask.attributes(file));
        assertThat(other.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .isTrue();
        assertThat(open(writer, 2, true).getWriteLeased()).isFalse();
    }

    @Test
    void shouldNotGrantItOnTheDesktopOfTheReplica() {
        Node created = home.ok(Ask.create(ROOT, "own", 0644, 1)).getNode();

        assertThat(created.getLayout().getDesktop()).isEqualTo("home");
        assertThat(created.getWriteLeased()).isFalse();
    }

    @Test
    void shouldListOnlyTheNameMeanwhile() {
        QueenRequest.Builder list = Ask.list(ROOT, 0, 10);
        list.getListDirectoryBuilder().setWithNodes(true);

        DirectoryEntry seen = other.ok(list).getDirectoryPage().getEntries(0);
        DirectoryEntry own = writer.ok(list).getDirectoryPage().getEntries(0);

        assertThat(seen.hasNode()).isFalse();
        assertThat(own.hasNode()).isTrue();
        assertThat(writer.recalls()).isEmpty();
    }

    @Test
    void shouldEndWithTheLastOpenForWriting() {
        open(writer, 2, false);
        writer.ok(Ask.release(file, 1));

        other.ok(Ask.lookup(ROOT, "f"));

        assertThat(writer.recalls()).noneMatch(recall -> recall.getInodesList().contains(file));
    }

    @Test
    void shouldEndWhenTheWriterRegisters() {
        writer.holdOn();
        CompletableFuture<QueenReply> seen = other.submit(Ask.lookup(ROOT, "f"));
        assertThat(seen).isNotDone();

        writer.register(writer.register().clearHoneycomb());

        assertThat(seen).isCompleted();
    }

    @Test
    void shouldGoOnForWhatAWriterStillHoldsBackWhenHeRegisters() {
        assertThat(registerHoldingBack().getOvertakenList()).isEmpty();

        other.ok(Ask.lookup(ROOT, "f"));

        assertThat(writer.recalls())
                .singleElement()
                .satisfies(recall -> assertThat(recall.getInodesList()).contains(file));
    }

    @Test
    void shouldGoOnWhenOthersHaveAskedMeanwhileForWhatDoesNotShowTheContent() {
        assertThat(other.fails(Ask.getXattr(file, "user.x"))).isEqualTo(Errno.ENODATA);

        assertThat(registerHoldingBack().getOvertakenList()).isEmpty();
    }

    @Test
    void shouldBeLostToWhoWaitsForWhatAWriterStillHoldsBackWhenHeRegisters() {
        writer.holdOn();
        CompletableFuture<QueenReply> opened = other.submit(Ask.open(file, 10, true, true));

        assertThat(registerHoldingBack().getOvertakenList()).containsExactly(file);
        assertThat(opened).isCompleted();
    }

    @Test
    void shouldBeLostToWhoHasUsedTheFileSinceTheWriterWasThere() {
        writer.register(withOpenFile());
        other.ok(Ask.open(file, 10, true, true));
        other.ok(Ask.release(file, 10));

        assertThat(registerHoldingBack().getOvertakenList()).containsExactly(file);
    }

    @Test
    void shouldBeLostWithTheSession() {
        Register.Builder another =
                withOpenFile().setSession(writer.session() + 1).addHeldBack(file);

        assertThat(writer.register(another).getOvertakenList()).containsExactly(file);
    }

    @Test
    void shouldGoOnWhileItIsNotKnownWhoElseHasTheFileOpen() {
        hive.restart();

        assertThat(registerHoldingBack().getOvertakenList()).isEmpty();
    }

    private Registered registerHoldingBack() {
        return writer.register(withOpenFile().addHeldBack(file));
    }

    private Register.Builder withOpenFile() {
        return writer.register()
                .clearHoneycomb()
                .addOpenFiles(OpenFile.newBuilder().setInode(file).setHandle(1).setWrite(true));
    }

    @Test
    void shouldNotComeAgainWithAnAnswerThatIsRepeated() {
        QueenRequest create = writer.numbered(Ask.create(ROOT, "g", 0644, 5));
        assertThat(writer.send(create).getNode().getWriteLeased()).isTrue();

        assertThat(writer.send(create).getNode().getWriteLeased()).isFalse();
    }

    private TestDesktop withoutHoneycomb(String name) {
        TestDesktop desktop = new TestDesktop(hive, name);
        desktop.register(desktop.register().clearHoneycomb());
        return desktop;
    }

    private Node open(TestDesktop desktop, long handle, boolean write) {
        return desktop.ok(Ask.open(file, handle, true, write)).getNode();
    }
}
