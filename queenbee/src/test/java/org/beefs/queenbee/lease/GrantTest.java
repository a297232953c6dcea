package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class GrantTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldLeaseWhatALookupShows() {
        makeDirectory("d");

        QueenReply reply = desktop.ok(Ask.lookup(ROOT, "d"));

        assertThat(reply.getEntryLeased()).isTrue();
        assertThat(reply.getNode().getAttributesLeased()).isTrue();
        assertThat(reply.getNode().getEntriesLeased()).isFalse();
    }

    @Test
    void shouldLeaseTheAbsenceOfAName() {
        QueenReply reply = desktop.send(Ask.lookup(ROOT, "nothing"));

        assertThat(reply.getFailure().getErrno()).isEqualTo(Errno.ENOENT.number());
        assertThat(reply.getEntryLeased()).isTrue();
    }

    @Test
    void shouldLeaseAListingAndWhatItShowsOfItsEntries() {
        makeDirectory("d");
        makeDirectory("e");
        QueenRequest.Builder list = Ask.list(ROOT, 0, 100);
        list.getListDirectoryBuilder().setWithNodes(true);

        DirectoryPage page = desktop.ok(list).getDirectoryPage();

        assertThat(page.getLeased()).isTrue();
        assertThat(page.getEntriesList())
                .extracting(DirectoryEntry::getNode)
                .allSatisfy(node -> assertThat(node.getAttributesLeased()).isTrue());
        assertThat(hive.queenBee().state().leases().size())
                .as("with the delegations of all three directories")
                .isEqualTo(4 + 2 + 3);
    }

    @Test
    void shouldLeaseTheEmptinessOfANewDirectory() {
        Node made = desktop.ok(Ask.mkdir(ROOT, "d", 0755)).getNode();

        assertThat(made.getAttributesLeased()).isTrue();
        assertThat(made.getEntriesLeased()).isTrue();
    }

    @Test
    void shouldTellTheAuthorOfAnEntryHowItsDirectoryIsAfterwards() {
        QueenReply made = desktop.ok(Ask.mkdir(ROOT, "d", 0755));

        assertThat(made.getEntryLeased()).isTrue();
        assertThat(made.getTouchedList()).hasSize(1);
        assertThat(made.getTouched(0).getAttributesLeased()).isTrue();
        assertThat(made.getTouched(0).getAttributes()).isEqualTo(attributes(ROOT));
        assertThat(made.getTouched(0).getAttributes().getLinks()).isEqualTo(3);
    }

    @Test
    void shouldTellWhoCreatesAFileThatIsThereOnlyOfTheFile() {
        desktop.ok(Ask.create(ROOT, "f", 0644, 1));

        QueenReply opened = desktop.ok(Ask.create(ROOT, "f", 0644, 2));

        assertThat(opened.getEntryLeased()).isTrue();
        assertThat(opened.getNode().getAttributesLeased()).isTrue();
        assertThat(opened.getTouchedList()).isEmpty();
    }

    @Test
    void shouldTellTheLinkCountOfWhatHasGainedOrLostAName() {
        long file = inode(desktop.ok(Ask.mknod(ROOT, "f", 0100644)));

        QueenReply linked = desktop.ok(Ask.link(file, ROOT, "g"));
        QueenReply unlinked = desktop.ok(Ask.unlink(ROOT, "f"));
        QueenReply gone = desktop.ok(Ask.unlink(ROOT, "g"));

        assertThat(linked.getNode().getAttributes().getLinks()).isEqualTo(2);
        assertThat(touched(linked)).containsExactly(ROOT);
        assertThat(touched(unlinked)).containsExactly(ROOT, file);
        assertThat(unlinked.getTouched(1).getAttributes().getLinks()).isOne();
        assertThat(unlinked.getTouched(1).getAttributesLeased()).isTrue();
        assertThat(unlinked.getEntryLeased()).isTrue();
        assertThat(touched(gone)).containsExactly(ROOT, file);
        assertThat(gone.getTouched(1).getAttributes().getLinks()).isZero();
        assertThat(gone.getTouched(1).getAttributesLeased())
                .as("what is gone is not leased")
                .isFalse();
    }

    /** Without the lease it would be read at its primary alone. */
    @Test
    void shouldLeaseAFileWithoutANameToWhoReadsIt() {
        TestDesktop reader = new TestDesktop(hive, "reader").registered();
        long file = replaceWhileOpenBy(reader);

        Node node = reader.ok(Ask.attributes(file)).getNode();

        assertThat(node.getAttributes().getLinks()).isZero();
        assertThat(node.getAttributesLeased()).isTrue();
        assertThat(desktop.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .as("to who has it not open")
                .isFalse();
        assertThat(hive.queenBee().state().leases().delegate(session(reader), inodeOf(file), false))
                .isFalse();
    }

    @Test
    void shouldRecallAFileWithoutANameWhenItIsOpenedToBeWritten() {
        TestDesktop reader = new TestDesktop(hive, "reader").registered();
        long file = replaceWhileOpenBy(reader);
        reader.ok(Ask.attributes(file));
        int recalls = reader.recalls().size();

        desktop.openToWrite(file);

        assertThat(reader.recalls()).hasSize(recalls + 1);
        assertThat(reader.recalls().getLast().getInodesList()).containsExactly(file);
        assertThat(reader.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .as("while somebody may write it")
                .isFalse();
    }

    @Test
    void shouldEndTheLeaseOnAFileWithoutANameWithTheFile() {
        TestDesktop reader = new TestDesktop(hive, "reader").registered();
        long file = replaceWhileOpenBy(reader);
        reader.ok(Ask.attributes(file));
        int leases = hive.queenBee().state().leases().count(session(reader));

        reader.ok(Ask.release(file, 1));

        assertThat(reader.fails(Ask.attributes(file))).isEqualTo(Errno.ESTALE);
        assertThat(hive.queenBee().state().leases().count(session(reader))).isEqualTo(leases - 1);
    }

    /** The desktop has renamed another file over one that the reader has open. */
    private long replaceWhileOpenBy(TestDesktop reader) {
        long file = desktop.createWritten("f", inode -> Ask.written(inode, 100, 1));
        reader.ok(Ask.open(file, 1, true, false));
        desktop.createWritten("g", inode -> Ask.written(inode, 100, 1));
        desktop.ok(Ask.rename(ROOT, "g", ROOT, "f"));
        return file;
    }

    private Session session(TestDesktop of) {
        return hive.queenBee().state().sessions().all().stream()
                .filter(session -> session.desktop().equals(of.name()))
                .findFirst()
                .orElseThrow();
    }

    private Inode inodeOf(long number) {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(number));
    }

    @Test
    void shouldTellOfBothDirectoriesAndBothInodesAfterARename() {
        long from = makeDirectory("from");
        long to = makeDirectory("to");
        long moved = inode(desktop.ok(Ask.mknod(from, "f", 0100644)));
        long replaced = inode(desktop.ok(Ask.mknod(to, "g", 0100644)));

        QueenReply renamed = desktop.ok(Ask.rename(from, "f", to, "g"));

        assertThat(renamed.getEntryLeased()).isTrue();
        assertThat(touched(renamed)).containsExactly(from, moved, to, replaced);
        assertThat(renamed.getTouchedList())
                .filteredOn(node -> node.getAttributes().getLinks() > 0)
                .allSatisfy(node -> {
                    assertThat(node.getAttributesLeased()).isTrue();
                    assertThat(node.getAttributes())
                            .isEqualTo(attributes(node.getAttributes().getInode()));
                });
    }

    @Test
    void shouldTellTheNewTimeOfChangeToWhoSetsAnExtendedAttribute() {
        long directory = makeDirectory("d");

        QueenReply set = desktop.ok(Ask.setXattr(directory, "user.a", "b"));

        assertThat(touched(set)).containsExactly(directory);
        assertThat(set.getTouched(0).getAttributes()).isEqualTo(attributes(directory));
    }

    @Test
    void shouldTellWhoeverMakesAFileCleanHowItIsNow() {
        long file = inode(desktop.ok(Ask.create(ROOT, "f", 0644, 1)));
        desktop.ok(Ask.open(file, 2, false, true));

        QueenReply first = desktop.ok(Ask.release(file, 1, status(file, 10)));
        QueenReply last = desktop.ok(Ask.release(file, 2, status(file, 20)));

        assertThat(first.hasNode()).isFalse();
        assertThat(last.getNode().getLayout().getDirty()).isFalse();
        assertThat(last.getNode().getAttributes().getSize()).isEqualTo(20);
        assertThat(last.getNode().getAttributesLeased()).isTrue();
    }

    @Test
    void shouldNotLeaseARemovedDirectory() {
        long directory = makeDirectory("d");
        desktop.ok(Ask.rmdir(ROOT, "d"));

        assertThat(desktop.ok(Ask.attributes(directory)).getNode().getAttributesLeased())
                .isFalse();
        assertThat(desktop.ok(Ask.list(directory, 0, 10)).getDirectoryPage().getLeased())
                .isFalse();
        assertThat(desktop.send(Ask.lookup(directory, "x")).getEntryLeased()).isFalse();
        assertThat(hive.queenBee().state().leases().size())
                .as("only of the root")
                .isEqualTo(3);
    }

    @Test
    void shouldRepeatAnAnswerWithoutItsLeases() {
        QueenRequest request = desktop.numbered(Ask.mkdir(ROOT, "d", 0755));
        desktop.send(request);
        desktop.register(desktop.register().setAcknowledged(request.getSequence()));

        QueenReply again = desktop.send(request);

        assertThat(again.getNode().getAttributes().getInode()).isPositive();
        assertThat(again.getNode().getAttributesLeased()).isFalse();
        assertThat(again.getNode().getEntriesLeased()).isFalse();
        assertThat(again.getEntryLeased()).isFalse();
        assertThat(again.getTouchedList()).isEmpty();
        assertThat(hive.queenBee().state().leases().size()).isZero();
    }

    @Test
    void shouldSayHowLongSilenceMayBe() {
        assertThat(desktop.register(desktop.register()).getCacheMillis()).isEqualTo(4000);
    }

    private long makeDirectory(String name) {
        return inode(desktop.ok(Ask.mkdir(ROOT, name, 0755)));
    }

    private Attributes attributes(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getAttributes();
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    private static List<Long> touched(QueenReply reply) {
        return reply.getTouchedList().stream()
                .map(node -> node.getAttributes().getInode())
                .toList();
    }

    private static ReplicaStatus status(long inode, long size) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setSize(size)
                .setObservation(size)
                .build();
    }
}
