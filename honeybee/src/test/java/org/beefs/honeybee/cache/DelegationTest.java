package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.MakeSymbolicLink;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Timestamp;
import org.beefs.common.wire.Unlink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is decided under delegations, and what is known of it until the queen-bee has answered, and afterwards. */
class DelegationTest extends CacheTest {
    private static final Credentials USER =
            Credentials.newBuilder().setUid(1000).setGid(1000).build();
    private static final long HOME = 50;
    private static final long FIRST = 1000;
    private static final long SESSION = 7;

    @BeforeEach
    void makeHome() {
        supply.take(numbers(FIRST, 20));
        delegate(HOME, 0755);
    }

    @Test
    void shouldKnowWhatItHasMadeBeforeAnyAnswer() {
        Decided file = decided(create("f"));
        Decided directory = decided(makeDirectory("d"));

        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(find("d")).isEqualTo(FIRST + 1);
        assertThat(file.request().getDecision().getInode()).isEqualTo(FIRST);
        assertThat(file.request().getDecision().getEpoch()).isEqualTo(3);
        assertThat(file.request().getDecision().getTime()).isEqualTo(now());
        assertThat(file.reply().getNode().getCreated()).isTrue();
        assertThat(file.reply().getNode().getLayout().getInode()).isEqualTo(FIRST);
        assertThat(directory.request().getDecision().getInode()).isEqualTo(FIRST + 1);
        assertThat(node(HOME).getAttributes().getMtime())
                .as("no two decisions have the same time")
                .isEqualTo(directory.request().getDecision().getTime())
                .isNotEqualTo(file.request().getDecision().getTime());
        assertThat(node(HOME).getAttributes().getLinks()).isEqualTo(3);
    }

    @Test
    void shouldDecideInWhatItHasDecided() {
        decided(makeDirectory("d"));

        decided(create(FIRST, "f"));

        assertThat(find(FIRST, "f")).isEqualTo(FIRST + 1);
        assertThat(find(FIRST, "g")).isEqualTo(0);
    }

    @Test
    void shouldKnowThatWhatItHasRemovedIsAbsent() {
        answer(decided(create("f")), 10);
        answer(decided(makeDirectory("d")), 11);

        decided(unlink(HOME, "f"));
        decided(removeDirectory("d"));

        assertThat(find("f")).isZero();
        assertThat(find("d")).isZero();
        assertThat(cache.node(FIRST)).isNull();
        assertThat(node(HOME).getAttributes().getLinks()).isEqualTo(2);
    }

    @Test
    void shouldShowAttributesThatItHasSet() {
        decided(chmod(HOME, 0711));

        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0711);
        assertThat(node(HOME).getAttributes().getCtime()).isEqualTo(now());
    }

    @Test
    void shouldListWhatItHasMadeWhenAllIsAnswered() {
        Decided first = decided(create("z"));
        Decided second = decided(create("a"));
        Decided third = decided(makeDirectory("m"));
        assertThat(cache.page(HOME, 0, 10, false)).isNull();

        answer(first, 10);
        answer(second, 11);
        assertThat(cache.page(HOME, 0, 10, false)).isNull();
        answer(third, 12);

        DirectoryPage page = Objects.requireNonNull(cache.page(HOME, 0, 10, false));
        assertThat(page.getEntriesList())
                .extracting(entry -> entry.getName().toStringUtf8())
                .containsExactly("z", "a", "m");
        assertThat(page.getEntriesList()).extracting(DirectoryEntry::getCookie).containsExactly(10L, 11L, 12L);
        assertThat(page.getEnd()).isTrue();
    }

    @Test
    void shouldListNothingOfWhatItHasRemovedBeforeTheAnswerCame() {
        Decided made = decided(create("f"));
        Decided removed = decided(unlink(HOME, "f"));
        Decided again = decided(create("f"));

        answer(made, 10);
        answer(removed, 0);
        answer(again, 11);

        DirectoryPage page = Objects.requireNonNull(cache.page(HOME, 0, 10, false));
        assertThat(page.getEntriesList()).extracting(DirectoryEntry::getInode).containsExactly(FIRST + 1);
        assertThat(page.getEntriesList()).extracting(DirectoryEntry::getCookie).containsExactly(11L);
    }

    @Test
    void shouldNotListWhenItIsNotToldWhereANameIs() {
        answer(decided(create("f")), 0);

        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(cache.page(HOME, 0, 10, false)).isNull();
    }

    @Test
    void shouldKnowMoreThanAnOlderLookup() {
        answer(decided(create("f")), 10);
        Decided removed = decided(unlink(HOME, "f"));

        answer(lookup(HOME, "f"), reply(file(FIRST)));
        assertThat(find("f")).isZero();
        assertThat(cache.node(FIRST)).isNull();

        answer(removed, 0);
        assertThat(find("f")).isZero();
    }

    @Test
    void shouldKnowMoreThanAnOlderAbsence() {
        decided(create("f"));

        answer(lookup(HOME, "f"), absent());

        assertThat(find("f")).isEqualTo(FIRST);
    }

    @Test
    void shouldKnowMoreThanOlderAttributes() {
        Decided changed = decided(chmod(HOME, 0711));

        answer(attributes(HOME), reply(directory(HOME, 0755)));
        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0711);

        answer(changed, 0);
        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0711);
        answer(attributes(HOME), reply(directory(HOME, 0700)));
        assertThat(node(HOME).getAttributes().getMode() & 07777)
                .as("an answer from afterwards")
                .isEqualTo(0700);
    }

    @Test
    void shouldKnowMoreThanAnOlderListing() {
        Decided first = decided(create("f"));
        QueenReply older = QueenReply.newBuilder()
                .setDirectoryPage(DirectoryPage.newBuilder()
                        .setParent(DIRECTORY)
                        .setLeased(true)
                        .setEnd(true))
                .build();

        answer(listed(HOME), older);
        assertThat(find("f")).isEqualTo(FIRST);

        answer(first, 10);
        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(Objects.requireNonNull(cache.page(HOME, 0, 10, false)).getEntriesList())
                .extracting(DirectoryEntry::getInode)
                .containsExactly(FIRST);
    }

    @Test
    void shouldKnowMoreThanNodesOfAnOlderListing() {
        answer(decided(create("f")), 10);
        decided(chmod(FIRST, 0600));
        QueenReply older = QueenReply.newBuilder()
                .setDirectoryPage(DirectoryPage.newBuilder()
                        .setParent(DIRECTORY)
                        .setLeased(true)
                        .setEnd(true)
                        .addEntries(DirectoryEntry.newBuilder()
                                .setName(name("f"))
                                .setInode(FIRST)
                                .setType(FileMode.REGULAR)
                                .setCookie(10)
                                .setNode(file(FIRST))))
                .build();

        answer(listed(HOME), older);

        assertThat(node(FIRST).getAttributes().getMode() & 07777).isEqualTo(0600);
    }

    @Test
    void shouldTakeOverWhatTheQueenBeeHasChosenOtherwise() {
        Decided made = decided(makeDirectory("d"));
        Node other = made.reply().getNode().toBuilder()
                .setAttributes(
                        made.reply().getNode().getAttributes().toBuilder().setMode(FileMode.DIRECTORY | 0700))
                .build();

        cache.answeredDecided(made, timers.clock().bootNanos(), reply(other));

        assertThat(node(FIRST).getAttributes().getMode() & 07777).isEqualTo(0700);
    }

    @Test
    void shouldForgetAttributesThatAreNotLeasedAnyMore() {
        Decided changed = decided(chmod(HOME, 0711));
        Node unleased = changed.reply().getNode().toBuilder()
                .setAttributes(
                        changed.reply().getNode().getAttributes().toBuilder().setMode(FileMode.DIRECTORY | 0700))
                .setAttributesLeased(false)
                .build();

        cache.answeredDecided(changed, timers.clock().bootNanos(), reply(unleased));

        assertThat(cache.node(HOME)).isNull();
    }

    @Test
    void shouldForgetAttributesThatAreAsExpectedButNotLeased() {
        Decided changed = decided(chmod(HOME, 0711));
        Node unleased =
                changed.reply().getNode().toBuilder().setAttributesLeased(false).build();

        cache.answeredDecided(changed, timers.clock().bootNanos(), reply(unleased));

        assertThat(cache.node(HOME)).isNull();
    }

    @Test
    void shouldNotTakeOverWhatIsOlderThanTheNextChange() {
        Decided first = decided(chmod(HOME, 0711));
        Decided second = decided(chmod(HOME, 0700));

        answer(first, 0);
        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0700);
        answer(second, 0);

        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0700);
    }

    @Test
    void shouldKnowNothingOfWhatIsAnsweredAfterEverythingWasForgotten() {
        Decided made = decided(create("f"));
        cache.drop();

        answer(made, 10);

        assertThat(find("f")).isNull();
        assertThat(cache.node(FIRST)).isNull();
        assertThat(cache.page(HOME, 0, 10, false)).isNull();
    }

    @Test
    void shouldBelieveAnswersAgainWhenAChangeIsRefused() {
        Decided changed = decided(chmod(HOME, 0711));

        cache.answeredDecided(changed, 0, null);
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0755);
    }

    @Test
    void shouldDecideNothingAnyMoreInWhatIsRecalled() {
        answer(decided(create("f")), 10);
        answer(decided(makeDirectory("d")), 11);

        recall(recallOf(HOME));
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("g"), makeDirectory("g"), unlink(HOME, "f"), removeDirectory("d"), chmod(HOME, 0700));
        decided(chmod(FIRST, 0600));
        decided(create(FIRST + 1, "g"));
    }

    @Test
    void shouldDecideNothingAnyMoreAboutAFileThatIsRecalled() {
        answer(decided(create("f")), 10);

        recall(recallOf(FIRST));
        answer(attributes(FIRST), reply(file(FIRST)));

        asked(chmod(FIRST, 0600), unlink(HOME, "f"));
        decided(create("g"));
    }

    @Test
    void shouldDecideNothingAnyMoreWhenEverythingIsRecalled() {
        recall(Recall.newBuilder().setEverything(true).build());
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    @Test
    void shouldDecideNothingAnyMoreWhenEverythingIsForgotten() {
        cache.drop();
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    @Test
    void shouldDecideNothingAfterARegistration() {
        cache.end();
        asked(create("f"), chmod(HOME, 0700));

        cache.registered(timers.clock().bootNanos(), TERMS);
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    @Test
    void shouldDecideNothingWhenTheQueenBeeIsSilent() {
        passHearing(Duration.ofSeconds(10));
        decided(create("f"));

        pass(Duration.ofSeconds(5));

        asked(create("g"), chmod(HOME, 0700));
    }

    @Test
    void shouldNotDecideWhatItDoesNotHoldTheDelegationOf() {
        answer(
                makeDirectory(DIRECTORY, "e"),
                changed()
                        .setNode(directory(60, 0755).toBuilder().setEntriesLeased(true))
                        .build());

        asked(create(60, "f"), chmod(60, 0700), create(DIRECTORY, "f"));
    }

    @Test
    void shouldNotDecideWhatIsNotLeased() {
        cache.answered(
                cache.stamp(),
                makeDirectory(DIRECTORY, "e"),
                changed()
                        .setNode(directory(60, 0755).toBuilder()
                                .setDelegated(true)
                                .setAttributesLeased(false)
                                .setEntriesLeased(true))
                        .build(),
                view);

        asked(create(60, "f"), chmod(60, 0700));
    }

    static Stream<UnaryOperator<Node.Builder>> peculiarities() {
        return Stream.of(
                node -> permissions(node, 01777),
                node -> permissions(node, 02777),
                node -> node.setDefaultAcl(ByteString.copyFromUtf8("a list")));
    }

    @ParameterizedTest
    @MethodSource("peculiarities")
    void shouldNotDecideWhereADirectoryIsPeculiar(UnaryOperator<Node.Builder> peculiarity) {
        delegate(peculiarity.apply(directory(60, 0777).toBuilder()));
        answer(decided(makeDirectory("d")), 10);

        asked(create(60, "f"), makeDirectory(60, "f"));
    }

    @Test
    void shouldNotDecideToRemoveWhereOnlyOwnersMay() {
        answer(decided(create("f")), 10);
        decided(chmod(HOME, 01777));

        asked(unlink(HOME, "f"));
    }

    private static Node.Builder permissions(Node.Builder node, int permissions) {
        node.getAttributesBuilder().setMode(FileMode.DIRECTORY | permissions);
        return node;
    }

    @Test
    void shouldNotDecideWhatTheCallerMayNotDo() {
        answer(decided(create("f")), 10);

        asked(
                by(USER, create("g")),
                by(USER, makeDirectory("g")),
                by(USER, unlink(HOME, "f")),
                by(USER, chmod(HOME, 0700)),
                by(USER, chown(FIRST, 1000, 1000)),
                by(USER, times(HOME)));
    }

    @Test
    void shouldNotDecideWhatOwnersMayOnlyDependingOnGroups() {
        decided(chmod(HOME, 0777));
        answer(decided(by(USER, makeDirectory("d"))), 10);

        decided(by(USER, chmod(FIRST, 0700)));
        asked(by(USER, chmod(FIRST, 02700)), by(USER, chown(FIRST, 1000, 1000)), by(USER, chown(FIRST, 0, 0)));
    }

    @Test
    void shouldNotDecideAboutNamesThatMayNotBe() {
        String longest = "n".repeat(255);
        decided(create(longest));

        asked(create(longest + "n"), makeDirectory(longest + "n"), create(""), create("."), makeDirectory(".."));
    }

    @Test
    void shouldNotDecideAboutNamesThatAreThere() {
        decided(create("f"));

        asked(create("f"), makeDirectory("f"));
    }

    @Test
    void shouldNotDecideAboutNamesOfWhichNothingIsKnown() {
        answer(decided(makeDirectory("d")), 10);
        recall(Recall.newBuilder()
                .addEntries(EntryName.newBuilder().setDirectory(HOME).setName(name("f")))
                .addEntries(EntryName.newBuilder().setDirectory(FIRST).setName(name("f")))
                .build());

        asked(create("f"), unlink(HOME, "f"), removeDirectory("d"));
        decided(create("g"));
    }

    @Test
    void shouldNotDecideToRemoveWhatIsNotThereOrSomethingElse() {
        answer(decided(create("f")), 10);
        answer(decided(makeDirectory("d")), 11);

        asked(unlink(HOME, "g"), removeDirectory("g"), unlink(HOME, "d"), removeDirectory("f"));
    }

    @Test
    void shouldOnlyDecideToRemoveADirectoryThatIsEmpty() {
        decided(makeDirectory("d"));
        decided(create(FIRST, "f"));
        asked(removeDirectory("d"));

        decided(unlink(FIRST, "f"));

        decided(removeDirectory("d"));
    }

    @Test
    void shouldNotDecideAboutAFileWithTwoNames() {
        answer(decided(create("f")), 10);
        Node linked = Node.newBuilder(file(FIRST))
                .setAttributes(file(FIRST).getAttributes().toBuilder().setLinks(2))
                .build();
        answer(link(FIRST, "g"), reply(linked));

        asked(unlink(HOME, "f"), chmod(FIRST, 0600));
    }

    @Test
    void shouldNotDecideAboutWhatHasSettingsOfItsOwn() {
        SetXattr set = SetXattr.newBuilder().setInode(HOME).build();

        answer(QueenRequest.newBuilder().setSetXattr(set).build(), reply(directory(HOME, 0755)));
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    static Stream<QueenRequest> changesOfHome() {
        return Stream.of(
                create(HOME, "other"),
                makeDirectory(HOME, "other"),
                unlink(HOME, "other"),
                QueenRequest.newBuilder()
                        .setRename(Rename.newBuilder()
                                .setOldParent(HOME)
                                .setOldName(name("other"))
                                .setNewParent(DIRECTORY)
                                .setNewName(name("another")))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("changesOfHome")
    void shouldNotDecideWhereSomethingElseIsBeingChanged(QueenRequest change) {
        Runnable ended = cache.changing(change);
        asked(create("f"), makeDirectory("f"), chmod(HOME, 0700));

        ended.run();

        decided(create("f"));
    }

    @Test
    void shouldNotDecideAboutAFileThatIsBeingChanged() {
        answer(decided(create("f")), 10);
        Runnable ended = cache.changing(chmod(FIRST, 0600));

        asked(unlink(HOME, "f"), chmod(FIRST, 0644));
        decided(create("g"));

        ended.run();
        decided(unlink(HOME, "f"));
    }

    @Test
    void shouldNotDecideToRemoveADirectoryInWhichSomethingIsBeingMade() {
        answer(decided(makeDirectory("d")), 10);
        cache.changing(create(FIRST, "f"));

        asked(removeDirectory("d"));
    }

    @Test
    void shouldNotMakeAnythingWithoutANumber() {
        List<Decided> made = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            made.add(decided(create("f" + i)));
        }

        asked(create("g"), makeDirectory("g"));
        decided(unlink(HOME, "f1"));
        assertThat(made)
                .extracting(one -> one.request().getDecision().getInode())
                .doesNotHaveDuplicates();
        supply.take(numbers(5000, 5));
        assertThat(decided(create("g")).request().getDecision().getInode()).isEqualTo(5000);
    }

    @Test
    void shouldNotMakeAFileThatWouldGoElsewhere() {
        supply.take(NewInodes.getDefaultInstance());

        asked(create("f"));
        decided(makeDirectory("d"));
    }

    @Test
    void shouldNotMakeAFileThatIsNotOpenedToWrite() {
        QueenRequest.Builder create = create("f").toBuilder();
        create.getCreateBuilder().setWrite(false);

        asked(create.build());
    }

    @Test
    void shouldNotDecideAboutMoreThanAttributes() {
        answer(decided(create("f")), 10);

        asked(clearPrivileges(FIRST), clearPrivileges(HOME));
        Decided set = decided(times(HOME));
        assertThat(set.request().getDecision().getOpens()).isFalse();
        assertThat(node(HOME).getAttributes().getMtime().getSeconds()).isEqualTo(5);
        assertThat(node(HOME).getAttributes().getAtime())
                .isEqualTo(set.request().getDecision().getTime());
    }

    @Test
    void shouldOpenAFileThatIsBeingWrittenToSetItsTimes() throws InvalidProtocolBufferException {
        answer(decided(create("f")), 10);

        Decided set = decided(times(FIRST));

        assertThat(set.request().getDecision().getOpens()).isTrue();
        Layout layout = set.reply().getNode().getLayout();
        assertThat(layout.getDirty()).isTrue();
        assertThat(Capability.parseFrom(layout.getCapability()))
                .isEqualTo(Capability.newBuilder()
                        .setSession(SESSION)
                        .setInode(FIRST)
                        .setEpoch(3)
                        .setRead(true)
                        .setWrite(true)
                        .build());
    }

    @Test
    void shouldNotOpenAFileThatNobodyWritesToSetItsTimes() {
        answer(decided(create("f")), 10);
        answer(attributes(FIRST), reply(file(FIRST)));

        Decided set = decided(times(FIRST));

        assertThat(set.request().getDecision().getOpens()).isFalse();
        assertThat(node(FIRST).getAttributes().getMtime().getSeconds()).isEqualTo(5);
    }

    @Test
    void shouldNotSetTimesOfAFileThatIsBeingWrittenElsewhere() {
        answer(decided(create("f")), 10);
        answer(attributes(FIRST), reply(dirty(FIRST)));

        asked(times(FIRST));
        decided(chmod(FIRST, 0600));
    }

    @Test
    void shouldNotDecideAboutModesThatAccessControlListsHaveToo() {
        delegate(directory(60, 0755).toBuilder().setAccessAcl(ByteString.copyFromUtf8("a list")));

        asked(chmod(60, 0700));
    }

    @Test
    void shouldAskTheQueenBeeForAllElse() {
        answer(decided(create("f")), 10);

        asked(
                QueenRequest.newBuilder()
                        .setMakeSymbolicLink(MakeSymbolicLink.newBuilder()
                                .setParent(HOME)
                                .setName(name("s"))
                                .setTarget(name("t")))
                        .build(),
                QueenRequest.newBuilder()
                        .setLink(Link.newBuilder()
                                .setInode(FIRST)
                                .setParent(HOME)
                                .setName(name("g")))
                        .build(),
                QueenRequest.newBuilder()
                        .setRename(Rename.newBuilder()
                                .setOldParent(HOME)
                                .setOldName(name("f"))
                                .setNewParent(HOME)
                                .setNewName(name("g")))
                        .build());
    }

    /** The queen-bee answers the making of a directory, and delegates it. */
    private void delegate(long inode, int permissions) {
        delegate(directory(inode, permissions).toBuilder());
    }

    private void delegate(Node.Builder made) {
        made.getAttributesBuilder().setLinks(2);
        QueenReply reply = changed()
                .setNode(made.setDelegated(true).setEntriesLeased(true))
                .setEntryCookie(made.getAttributes().getInode())
                .build();
        answer(makeDirectory(DIRECTORY, "home" + made.getAttributes().getInode()), reply);
    }

    private Decided decided(QueenRequest change) {
        Decided decided = cache.decide(change, SESSION, view);
        assertThat(decided).as("%s is decided", change).isNotNull();
        return Objects.requireNonNull(decided);
    }

    private void asked(QueenRequest... changes) {
        for (QueenRequest change : changes) {
            assertThat(cache.decide(change, SESSION, view)).as("%s", change).isNull();
        }
    }

    /** The queen-bee answers as she was expected to, and says where the name is. */
    private void answer(Decided decided, long cookie) {
        QueenReply reply = decided.reply().toBuilder().setEntryCookie(cookie).build();
        cache.answeredDecided(decided, timers.clock().bootNanos(), reply);
    }

    private @Nullable Long find(String name) {
        return find(HOME, name);
    }

    /** 0 when there is certainly no such name, null when that is not known. */
    private @Nullable Long find(long directory, String name) {
        try {
            Node found = cache.lookup(ROOT, directory, name(name));
            return found == null ? null : found.getAttributes().getInode();
        } catch (PosixException e) {
            assertThat(e.errno()).isEqualTo(Errno.ENOENT);
            return 0L;
        }
    }

    private Node node(long inode) {
        return Objects.requireNonNull(cache.node(inode));
    }

    private Timestamp now() {
        return Timestamps.toWire(timers.clock().now());
    }

    private static NewInodes numbers(long first, int count) {
        return NewInodes.newBuilder()
                .setFirst(first)
                .setCount(count)
                .setLayout(Layout.newBuilder().setEpoch(3).setDirty(true).setReadable(true))
                .build();
    }

    private static QueenRequest by(Credentials caller, QueenRequest change) {
        return change.toBuilder().setCredentials(caller).build();
    }

    static QueenRequest create(String name) {
        return create(HOME, name);
    }

    private static QueenRequest create(long parent, String name) {
        return QueenRequest.newBuilder()
                .setCreate(Create.newBuilder()
                        .setParent(parent)
                        .setName(name(name))
                        .setMode(0644)
                        .setRead(true)
                        .setWrite(true))
                .build();
    }

    private static QueenRequest makeDirectory(String name) {
        return makeDirectory(HOME, name);
    }

    private static QueenRequest makeDirectory(long parent, String name) {
        return QueenRequest.newBuilder()
                .setMakeDirectory(MakeDirectory.newBuilder()
                        .setParent(parent)
                        .setName(name(name))
                        .setMode(0755))
                .build();
    }

    private static QueenRequest unlink(long parent, String name) {
        return QueenRequest.newBuilder()
                .setUnlink(Unlink.newBuilder().setParent(parent).setName(name(name)))
                .build();
    }

    private static QueenRequest removeDirectory(String name) {
        return QueenRequest.newBuilder()
                .setRemoveDirectory(RemoveDirectory.newBuilder().setParent(HOME).setName(name(name)))
                .build();
    }

    private static QueenRequest chmod(long inode, int mode) {
        return set(SetAttributes.newBuilder().setInode(inode).setMode(mode));
    }

    private static QueenRequest chown(long inode, int uid, int gid) {
        return set(SetAttributes.newBuilder().setInode(inode).setUid(uid).setGid(gid));
    }

    private static QueenRequest times(long inode) {
        return set(SetAttributes.newBuilder()
                .setInode(inode)
                .setAtimeNow(true)
                .setMtime(Timestamp.newBuilder().setSeconds(5))
                .setHandle(1));
    }

    private static QueenRequest clearPrivileges(long inode) {
        return set(SetAttributes.newBuilder().setInode(inode).setClearPrivileges(true));
    }

    private static QueenRequest set(SetAttributes.Builder set) {
        return QueenRequest.newBuilder().setSetAttributes(set).build();
    }

    private static QueenRequest lookup(long parent, String name) {
        return QueenRequest.newBuilder()
                .setLookup(Lookup.newBuilder().setParent(parent).setName(name(name)))
                .build();
    }

    private static QueenRequest listed(long directory) {
        return QueenRequest.newBuilder()
                .setListDirectory(ListDirectory.newBuilder()
                        .setInode(directory)
                        .setLimit(100)
                        .setWithNodes(true))
                .build();
    }

    static QueenRequest attributes(long inode) {
        return QueenRequest.newBuilder()
                .setGetAttributes(GetAttributes.newBuilder().setInode(inode))
                .build();
    }
}
