package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A honeycomb comes back with changes of a file that has moved on, which shows in its replica's lower epoch. */
class ConflictCopiesTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration SOON = Duration.ofSeconds(6);
    private static final Timestamp CHANGED =
            Timestamp.newBuilder().setSeconds(5000).setNanos(7).build();

    /** u::rw- u:2000:rw- g::--- m::rw- o::--- */
    private static final ByteString LIST = ByteString.fromHex("02000000" + "01000600ffffffff" + "02000600d0070000"
            + "04000000ffffffff" + "10000600ffffffff" + "20000000ffffffff");

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private long directory;
    private long inode;
    private long epoch;

    @BeforeEach
    void make() {
        directory = number(desktop.ok(Ask.mkdir(ROOT, "d", 0777)).getNode());
        Node file = desktop.ok(Ask.create(directory, "report.txt", 04640, 1)).getNode();
        inode = number(file);
        epoch = file.getLayout().getEpoch();
        desktop.ok(Ask.chown(inode, 1000, 1001));
        desktop.ok(Ask.chmod(inode, 04640));
        desktop.ok(Ask.release(inode, 1, status(100)));
        desktop.replica(inode, status(700).toBuilder());
    }

    @Test
    void shouldKeepTheChangesBesideTheFile() {
        inventory(changed(inode, epoch - 1));

        Node copy = desktop.ok(Ask.lookup(directory, copies().getFirst())).getNode();
        Attributes attributes = copy.getAttributes();
        assertThat(copies()).singleElement().asString().matches("report\\.txt\\.conflict-desk-\\d{8}-\\d{6}");
        assertThat(attributes.getSize()).isEqualTo(700);
        assertThat(attributes.getMtime()).isEqualTo(CHANGED);
        assertThat(attributes.getAtime()).isEqualTo(CHANGED);
        assertThat(attributes.getMode() & 07777).as("without set-id bits").isEqualTo(0640);
        assertThat(List.of(attributes.getUid(), attributes.getGid())).isEqualTo(List.of(1000, 1001));
        assertThat(copy.getLayout().getDirty()).isFalse();
        assertThat(copy.getLayout().getVersion()).isPositive();
        assertThat(desktop.replicas()).containsOnlyKeys(attributes.getInode());
        assertThat(desktop.ok(Ask.attributes(inode)).getNode().getAttributes().getSize())
                .as("of the file itself")
                .isEqualTo(100);
    }

    @Test
    void shouldKeepThemAlsoWhenTheDesktopRegistersOnceMoreMeanwhile() {
        desktop.setAnswering(false);
        inventory(changed(inode, epoch - 1));
        desktop.register(desktop.register());
        desktop.setAnswering(true);

        hive.advance(SOON);

        assertThat(copies()).hasSize(1);
    }

    @Test
    void shouldNotBeFooledByWhatIsNoConflict() {
        inventory(changed(inode, epoch));
        inventory(changed(inode, epoch + 1));
        inventory(changed(inode, epoch - 1).setVersion(3));
        inventory(changed(inode, epoch - 1).setGeneration(1));

        assertThat(copies()).isEmpty();
        assertThat(desktop.replicas()).containsOnlyKeys(inode);
    }

    @Test
    void shouldMakeOneCopyHoweverOftenItIsToldAndRestarted() {
        desktop.setAnswering(false);
        inventory(changed(inode, epoch - 1));
        assertThat(copies()).as("before it was adopted").isEmpty();
        for (int i = 0; i < 2; i++) {
            hive.restart();
            desktop.register(desktop.register());
            inventory(changed(inode, epoch - 1));
        }

        desktop.setAnswering(true);
        hive.advance(SOON);
        assertThat(copies()).hasSize(1);

        hive.restart();
        desktop.register(desktop.register());
        inventory(changed(
                number(desktop.ok(Ask.lookup(directory, copies().getFirst())).getNode()), epoch));
        hive.advance(SOON);
        assertThat(copies()).hasSize(1);
        assertThat(desktop.replicas()).hasSize(1);
    }

    /** The honeycomb has adopted it, and the queen-bee has died before she heard. */
    @Test
    void shouldNotRemoveWhatWasAdoptedAndHasNoNameYet() {
        desktop.holdAnswers();
        inventory(changed(inode, epoch - 1));
        long copy = desktop.replicas().keySet().iterator().next();
        hive.restart();
        desktop.register(desktop.register());

        assertThat(inventory(changed(copy, epoch))).isEmpty();
        desktop.answerHeld();
        hive.advance(SOON);

        assertThat(copies()).hasSize(1);
        assertThat(desktop.replicas()).containsOnlyKeys(copy);
    }

    @Test
    void shouldWaitUntilTheInventoryIsComplete() {
        desktop.disconnect();
        desktop.register(desktop.register());

        report(changed(inode, epoch - 1));
        assertThat(desktop.replicas()).containsOnlyKeys(inode);
        report();
        assertThat(desktop.replicas()).doesNotContainKey(inode);
    }

    @Test
    void shouldUseLostAndFoundForAFileWithoutNames() {
        desktop.ok(Ask.open(inode, 2, true, false));
        desktop.ok(Ask.unlink(directory, "report.txt"));

        inventory(changed(inode, epoch - 1));

        Node lost = desktop.ok(Ask.lookup(ROOT, "lost+found")).getNode();
        assertThat(lost.getAttributes().getMode() & 07777).isEqualTo(0700);
        assertThat(names(number(lost)))
                .singleElement()
                .asString()
                .matches("inode-[0-9a-f]+\\.conflict-desk-\\d{8}-\\d{6}");
    }

    @Test
    void shouldGiveTheCopyTheAccessListOfTheFile() {
        desktop.ok(set(inode, "system.posix_acl_access", LIST));

        inventory(changed(inode, epoch - 1));

        assertThat(copy().getAccessAcl()).isEqualTo(LIST);
        assertThat(copy().getAttributes().getMode() & 07777).isEqualTo(0660);
    }

    @Test
    void shouldNotGiveTheCopyADefaultListOfTheDirectory() {
        desktop.ok(set(directory, "system.posix_acl_default", LIST));

        inventory(changed(inode, epoch - 1));

        assertThat(copy().getAccessAcl()).isEmpty();
        assertThat(copy().getAttributes().getMode() & 07777).isEqualTo(0640);
    }

    @Test
    void shouldGiveTheCopyTheRightsThatTheFileHasWhenItIsMade() {
        desktop.setAnswering(false);
        inventory(changed(inode, epoch - 1));
        desktop.ok(Ask.chown(inode, 1002, 1003));
        desktop.ok(Ask.chmod(inode, 0600));

        desktop.setAnswering(true);
        hive.advance(SOON);

        Attributes attributes = copy().getAttributes();
        assertThat(attributes.getMode() & 07777).isEqualTo(0600);
        assertThat(List.of(attributes.getUid(), attributes.getGid())).isEqualTo(List.of(1002, 1003));
    }

    /** Its mode says of the group what the mask was. */
    @Test
    void shouldGiveNothingToTheGroupOfAFileThatHadAListAndIsGone() {
        desktop.ok(set(inode, "system.posix_acl_access", LIST));
        desktop.holdAnswers();
        inventory(changed(inode, epoch - 1));
        desktop.ok(Ask.unlink(directory, "report.txt"));

        desktop.answerHeld();

        long lost = number(desktop.ok(Ask.lookup(ROOT, "lost+found")).getNode());
        Node copy = desktop.ok(Ask.lookup(lost, names(lost).getFirst())).getNode();
        assertThat(copy.getAttributes().getMode() & 07777).isEqualTo(0600);
    }

    @Test
    void shouldNotUseALostAndFoundOfSomebodyElse() {
        long foreign = number(desktop.ok(Ask.mkdir(ROOT, "lost+found", 0777)).getNode());
        desktop.ok(Ask.chown(foreign, 1000, 1000));
        desktop.ok(Ask.chmod(foreign, 0700));
        desktop.ok(Ask.mkdir(ROOT, "lost+found of the hive", 0777));
        desktop.ok(Ask.symlink(ROOT, "lost+found of the hive 2", "/tmp"));
        desktop.ok(Ask.open(inode, 2, true, false));
        desktop.ok(Ask.unlink(directory, "report.txt"));

        inventory(changed(inode, epoch - 1));

        Node lost = desktop.ok(Ask.lookup(ROOT, "lost+found of the hive 3")).getNode();
        assertThat(lost.getAttributes().getMode() & 07777).isEqualTo(0700);
        assertThat(names(number(lost))).hasSize(1);
        assertThat(names(foreign)).isEmpty();
    }

    @Test
    void shouldRecallWhatOthersKnowOfTheDirectory() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        assertThat(other.ok(Ask.list(directory, 0, 100)).getDirectoryPage().getLeased())
                .isTrue();

        inventory(changed(inode, epoch - 1));

        assertThat(other.recalls())
                .anySatisfy(recall -> assertThat(recall.getEntriesList())
                        .anySatisfy(entry ->
                                assertThat(entry.getName().toStringUtf8()).contains(".conflict-desk-")));
    }

    @Test
    void shouldForgetAnAdoptionOfNothing() {
        desktop.replicas().clear();
        inventory(changed(inode, epoch - 1));
        assertThat(copies()).isEmpty();
    }

    @Test
    void shouldCutLongNamesBetweenCharacters() {
        String longest = "ä".repeat(127);
        desktop.ok(Ask.rename(directory, "report.txt", directory, longest));

        inventory(changed(inode, epoch - 1));

        String name = copies().getFirst();
        assertThat(ByteString.copyFromUtf8(name).size()).isBetween(254, 255);
        assertThat(name).matches("ä+\\.conflict-desk-.*");
        assertThat(desktop.fails(Ask.create(directory, name + "xx", 0644, 9))).isEqualTo(Errno.ENAMETOOLONG);
    }

    private Node copy() {
        return desktop.ok(Ask.lookup(directory, copies().getFirst())).getNode();
    }

    private static QueenRequest.Builder set(long inode, String name, ByteString value) {
        return QueenRequest.newBuilder()
                .setSetXattr(SetXattr.newBuilder()
                        .setInode(inode)
                        .setName(ByteString.copyFromUtf8(name))
                        .setValue(value));
    }

    private List<String> copies() {
        return names(directory).stream()
                .filter(name -> name.contains(".conflict-"))
                .toList();
    }

    private List<String> names(long inode) {
        return desktop.ok(Ask.list(inode, 0, 100)).getDirectoryPage().getEntriesList().stream()
                .map(DirectoryEntry::getName)
                .map(ByteString::toStringUtf8)
                .toList();
    }

    private List<ReplicaName> inventory(ReplicaName.Builder... replicas) {
        List<ReplicaName> drop = report(replicas);
        report();
        return drop;
    }

    private List<ReplicaName> report(ReplicaName.Builder... replicas) {
        Inventory.Builder page = Inventory.newBuilder();
        List.of(replicas).forEach(page::addReplicas);
        return desktop.ok(QueenRequest.newBuilder().setInventory(page))
                .getDrop()
                .getReplicasList();
    }

    private static ReplicaName.Builder changed(long inode, long epoch) {
        return ReplicaName.newBuilder().setInode(inode).setEpoch(epoch);
    }

    private ReplicaStatus status(long size) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setSize(size)
                .setObservation(size)
                .setAtime(CHANGED)
                .setMtime(CHANGED)
                .setCtime(CHANGED)
                .build();
    }

    private static long number(Node node) {
        return node.getAttributes().getInode();
    }
}
