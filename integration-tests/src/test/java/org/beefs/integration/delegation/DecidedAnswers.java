package org.beefs.integration.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.honeybee.cache.Decided;
import org.beefs.honeybee.cache.InodeSupply;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.cache.Stamp;
import org.beefs.honeybee.heldback.SendingTerm;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;

/** A desktop's cache in front of a queen-bee: whatever it decides is compared with what she then answers. */
final class DecidedAnswers {
    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desktop");
    private final InodeSupply supply = new InodeSupply();
    private final MetadataCache cache = new MetadataCache(
            hive.time(), hive.time(), new SendingTerm(hive.time(), hive.time()), supply, 100_000, 100_000);
    private final Deque<Decided> unanswered = new ArrayDeque<>();
    private final Map<OperationCase, Integer> counts = new EnumMap<>(OperationCase.class);
    private int putTogether;

    /** Of a desktop with a honeycomb. */
    static DecidedAnswers withHoneycomb() {
        DecidedAnswers answers = new DecidedAnswers();
        answers.start(answers.desktop.register());
        answers.desktop.inventoried();
        return answers;
    }

    /** Of a desktop whose files go to another one. */
    static DecidedAnswers withoutHoneycomb() {
        DecidedAnswers answers = new DecidedAnswers();
        new TestDesktop(answers.hive, "keeper").registered();
        answers.start(answers.desktop.register().clearHoneycomb());
        return answers;
    }

    private void start(Register.Builder register) {
        long sentAt = hive.time().bootNanos();
        Registered registered = desktop.register(register);
        supply.take(registered.getNewInodes());
        cache.registered(sentAt, registered);
    }

    /** Changes that were decided, of each kind. */
    Map<OperationCase, Integer> counts() {
        return counts;
    }

    /** How many answers are missing. */
    int unanswered() {
        return unanswered.size();
    }

    long newHandle() {
        return desktop.newHandle();
    }

    void pass(Duration time) {
        hive.advance(time);
    }

    /** Makes a request as a program's mount does, and says what that is answered. */
    QueenReply ask(QueenRequest request) {
        Decided decided = cache.decide(request, null, () -> true);
        if (decided == null) {
            answerAll();
            return askQueen(request);
        }
        putWithLast(decided);
        counts.merge(request.getOperationCase(), 1, Integer::sum);
        return decided.reply();
    }

    /** Attributes that are set right after others of the same are asked for together with these. */
    private void putWithLast(Decided decided) {
        Decided last = unanswered.peekLast();
        Decided together = last == null ? null : last.with(decided);
        if (last == null || together == null) {
            unanswered.add(decided);
            return;
        }
        unanswered.removeLast();
        unanswered.add(together);
        cache.putTogether(last);
        putTogether++;
    }

    /** Changes that were asked for together with the one before. */
    int putTogether() {
        return putTogether;
    }

    private QueenReply askQueen(QueenRequest request) {
        Runnable changed = cache.changing(request);
        Stamp stamp = cache.stamp();
        QueenReply reply = send(request);
        cache.answered(stamp, request, reply, null);
        changed.run();
        return reply;
    }

    private QueenReply send(QueenRequest request) {
        Credentials caller = request.getCredentials();
        desktop.as(caller.getUid(), caller.getGid(), caller.getGroupsList().toArray(new Integer[0]));
        return desktop.send(desktop.numbered(request.toBuilder()));
    }

    /** The queen-bee answers all that was decided. */
    void answerAll() {
        while (!unanswered.isEmpty()) {
            Decided decided = unanswered.remove();
            long sentAt = hive.time().bootNanos();
            QueenReply reply = send(decided.request());
            compare(decided, reply);
            cache.answeredDecided(decided, sentAt, reply);
        }
    }

    private static void compare(Decided decided, QueenReply answered) {
        QueenReply expected = decided.reply();
        String what = "%s\nhas the touched %s".formatted(decided.request(), answered.getTouchedList());
        assertThat(answered.hasFailure())
                .as("%s: %s", what, answered.getFailure())
                .isFalse();
        assertThat(answered.hasNode()).as(what).isEqualTo(expected.hasNode());
        boolean dirty =
                expected.getNode().getLayout().getDirty() && !expected.getNode().getCreated();
        assertThat(comparable(answered.getNode(), dirty)).as(what).isEqualTo(comparable(expected.getNode(), dirty));
        if (decided.request().getDecision().getOpens()) {
            assertThat(replica(answered.getNode().getLayout()))
                    .as(what)
                    .isEqualTo(replica(expected.getNode().getLayout()));
        }
        assertThat(answered.getNode().getDelegated())
                .as(what)
                .isEqualTo(expected.getNode().getDelegated());
        assertThat(answered.getNode().getEntriesLeased())
                .as(what)
                .isEqualTo(expected.getNode().getEntriesLeased());
        assertThat(answered.getNode().getAttributesLeased())
                .as(what)
                .isEqualTo(expected.getNode().getAttributesLeased());
        assertThat(answered.getEntryLeased()).as(what).isEqualTo(expected.getEntryLeased());
        Set<Long> dirtyThere = dirty(expected.getTouchedList());
        assertThat(leased(answered, dirtyThere)).as(what).isEqualTo(leased(expected, dirtyThere));
    }

    /**
     * Where it is; not what was committed before it was opened, nor the right to write it, which only her answer gives
     * for another desktop.
     */
    private static Layout replica(Layout layout) {
        return layout.toBuilder()
                .clearCapability()
                .clearVersion()
                .clearCommittedSize()
                .clearCommittedMtime()
                .build();
    }

    private static Set<Long> dirty(List<Node> nodes) {
        return nodes.stream()
                .filter(node -> node.getLayout().getDirty())
                .map(node -> node.getAttributes().getInode())
                .collect(Collectors.toSet());
    }

    /** What is told of other inodes, by number. What is gone is not leased. */
    private static Map<Long, Node> leased(QueenReply reply, Set<Long> dirty) {
        Map<Long, Node> nodes = new TreeMap<>();
        reply.getTouchedList().stream().filter(Node::getAttributesLeased).forEach(node -> {
            long inode = node.getAttributes().getInode();
            nodes.put(inode, comparable(node, dirty.contains(inode)));
        });
        return nodes;
    }

    /**
     * What both must agree on. Of a file that is there already a cache keeps less than the whole layout.
     *
     * @param dirty whether it is a file that may be being written as far as the cache knows: then its size and times
     *     are the replica's
     */
    private static Node comparable(Node node, boolean dirty) {
        Node.Builder comparable = node.toBuilder()
                .clearDelegated()
                .clearAttributesLeased()
                .clearEntriesLeased()
                .clearWriteLeased();
        if (dirty) {
            comparable.clearLayout().setAttributes(timeless(node.getAttributes()));
        } else if (node.getCreated()) {
            comparable.getLayoutBuilder().clearCapability();
        } else {
            Layout layout = node.getLayout();
            comparable.clearLayout();
            if (layout.getDirty() || layout.getVersion() != 0) {
                comparable.getLayoutBuilder().setVersion(layout.getVersion()).setEpoch(layout.getEpoch());
            }
        }
        return comparable.build();
    }

    /** What is known of an inode and of all below it is what the queen-bee says now. */
    void compareTree(long directory) {
        answerAll();
        DirectoryPage page = send(listing(directory)).getDirectoryPage();
        List<String> answered = new ArrayList<>();
        for (DirectoryEntry entry : page.getEntriesList()) {
            answered.add("%d %s %d".formatted(entry.getCookie(), entry.getName().toStringUtf8(), entry.getInode()));
            compareNode(entry.getInode());
        }
        DirectoryPage known = cache.page(directory, 0, 4096, false);
        if (known != null) {
            assertThat(known.getEntriesList().stream()
                            .map(entry -> "%d %s %d"
                                    .formatted(
                                            entry.getCookie(), entry.getName().toStringUtf8(), entry.getInode()))
                            .toList())
                    .isEqualTo(answered);
            counts.merge(OperationCase.LIST_DIRECTORY, 1, Integer::sum);
        }
        for (Map.Entry<ByteString, Long> child : cache.children(directory)) {
            assertThat(page.getEntriesList())
                    .anyMatch(entry -> entry.getName().equals(child.getKey()) && entry.getInode() == child.getValue());
        }
        page.getEntriesList().stream()
                .filter(entry -> FileMode.isDirectory(entry.getType()))
                .forEach(entry -> compareTree(entry.getInode()));
    }

    private void compareNode(long inode) {
        Node known = cache.rights(inode);
        if (known == null) {
            return;
        }
        Node answered = send(Ask.attributes(inode).build()).getNode();
        Attributes attributes = answered.getAttributes();
        assertThat(known.getAccessAcl()).isEqualTo(answered.getAccessAcl());
        assertThat(known.getDefaultAcl()).isEqualTo(answered.getDefaultAcl());
        assertThat(known.getWithoutXattrs()).isEqualTo(answered.getWithoutXattrs());
        if (known.getLayout().getDirty()) { // it may have been committed since, with a ctime of its own
            assertThat(withoutCtime(timeless(known.getAttributes()))).isEqualTo(withoutCtime(timeless(attributes)));
        } else {
            assertThat(known.getAttributes()).isEqualTo(attributes);
        }
    }

    private static Attributes withoutCtime(Attributes attributes) {
        return attributes.toBuilder().clearCtime().build();
    }

    private static Attributes timeless(Attributes attributes) {
        return attributes.toBuilder()
                .clearSize()
                .clearBlocks()
                .clearAtime()
                .clearMtime()
                .build();
    }

    private static QueenRequest listing(long directory) {
        return Ask.list(directory, 0, 4096).build();
    }
}
