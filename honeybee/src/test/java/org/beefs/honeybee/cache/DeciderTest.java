package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.MakeSymbolicLink;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which changes a desktop decides under delegations, and which it asks for. */
class DeciderTest extends DelegatedCacheTest {
    /** u::rwx g::r-x o::--- */
    private static final ByteString PLAIN =
            bytes(2, 0, 0, 0, 1, 0, 7, 0, -1, -1, -1, -1, 4, 0, 5, 0, -1, -1, -1, -1, 32, 0, 0, 0, -1, -1, -1, -1);

    /** u::rw- u:2000:rwx g::r-- m::rwx o::--- */
    private static final ByteString EXTENDED = bytes(
            2, 0, 0, 0, 1, 0, 6, 0, -1, -1, -1, -1, 2, 0, 7, 0, 0xd0, 7, 0, 0, 4, 0, 4, 0, -1, -1, -1, -1, 16, 0, 7, 0,
            -1, -1, -1, -1, 32, 0, 0, 0, -1, -1, -1, -1);

    private static ByteString bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteString.copyFrom(bytes);
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
        decided(by(USER, chown(FIRST, 1000, 1000)));
        asked(by(USER, chmod(FIRST, 02700)), by(USER, chown(FIRST, 1000, 1001)), by(USER, chown(FIRST, 0, 0)));
    }

    /** As Linux asks for each chown of a file. */
    @Test
    void shouldTakePrivilegesWithTheOwner() {
        answer(decided(create("f")), 10);
        decided(chmod(FIRST, 06755));
        QueenRequest.Builder chown = chown(FIRST, 1000, 1000).toBuilder();
        chown.getSetAttributesBuilder().setClearPrivileges(true);

        decided(chown.build());

        assertThat(node(FIRST).getAttributes().getMode() & 07777).isEqualTo(0755);
        assertThat(node(FIRST).getAttributes().getUid()).isEqualTo(1000);
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
                create(HOME, "other"), makeDirectory(HOME, "other"), unlink(HOME, "other"), rename("other", "another"));
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
    void shouldNotMakeAFileWithoutKnowingWhereItGoes() {
        supply.take(NewInodes.getDefaultInstance());

        asked(create("f"));
        decided(makeDirectory("d"));
    }

    @Test
    void shouldMakeAFileElsewhereWithTheRightToHoldBackWhatIsWritten() throws InvalidProtocolBufferException {
        supply.take(DelegatedCacheTest.numbers(5000, 5).toBuilder()
                .setElsewhere(true)
                .build());

        Decided made = decided(create("f"));

        Layout layout = made.reply().getNode().getLayout();
        assertThat(made.request().getDecision().getHoneycomb()).isEqualTo(layout.getHoneycomb());
        assertThat(Capability.parseFrom(layout.getCapability()))
                .isEqualTo(Capability.newBuilder()
                        .setInode(layout.getInode())
                        .setEpoch(3)
                        .setRead(true)
                        .setWrite(true)
                        .build());
        assertThat(made.reply().getNode().getWriteLeased()).isTrue();
        assertThat(cache.writeLease(made.request().getDecision().getInode())).isPositive();
    }

    @Test
    void shouldNotHoldBackContentOfWhatIsMadeHere() {
        Decided made = decided(create("f"));

        assertThat(made.request().getDecision().getHoneycomb()).isEmpty();
        assertThat(made.reply().getNode().getWriteLeased()).isFalse();
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
    void shouldSayWhichAttributesItHasChanged() {
        Decided first = decided(chmod(HOME, 0700));

        Decided second = decided(chmod(HOME, 0711));

        assertThat(second.request().getDecision().getFormerCtime())
                .isEqualTo(first.request().getDecision().getTime());
        Decided together = Objects.requireNonNull(first.with(second));
        assertThat(together.request().getDecision().getFormerCtime())
                .isEqualTo(first.request().getDecision().getFormerCtime());
    }

    @Test
    void shouldNotSayThatOfAFileWhoseReplicaMayHaveBeenChangedSince() {
        answer(decided(create("f")), 10);

        assertThat(decided(chmod(FIRST, 0700)).request().getDecision().hasFormerCtime())
                .isFalse();
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
    void shouldNotDecideAboutModesThatAccessControlListsHaveToo() {
        delegate(directory(60, 0755).toBuilder().setAccessAcl(ByteString.copyFromUtf8("a list")));

        asked(chmod(60, 0700));
    }

    /** As she keeps it, and as it may go together with other attributes. */
    @Test
    void shouldSetTheModeForAListThatSaysNoMore() {
        answer(decided(create("f")), 10);
        decided(chmod(FIRST, 04600));

        Decided set = decided(accessList(FIRST, PLAIN));

        assertThat(set.request().getSetAttributes())
                .isEqualTo(SetAttributes.newBuilder()
                        .setInode(FIRST)
                        .setMode(04750)
                        .build());
        assertThat(set.mayTakeMore()).isTrue();
        assertThat(Objects.requireNonNull(cache.rights(FIRST)).getAttributes().getMode())
                .isEqualTo(FileMode.REGULAR | 04750);
    }

    @Test
    void shouldSetTheModeOfADirectoryForAListToo() {
        decided(accessList(HOME, PLAIN));

        assertThat(node(HOME).getAttributes().getMode()).isEqualTo(FileMode.DIRECTORY | 0750);
    }

    @Test
    void shouldAskForAListOfWhomTheCallerIsNot() {
        asked(by(USER, accessList(HOME, PLAIN)));
    }

    static Stream<SetXattr> otherAttributes() {
        SetXattr plain = SetXattr.newBuilder()
                .setInode(HOME)
                .setName(AccessControlList.ACCESS)
                .setValue(PLAIN)
                .build();
        return Stream.of(
                plain.toBuilder().setName(AccessControlList.DEFAULT).build(),
                plain.toBuilder().setName(name("user.a")).build(),
                plain.toBuilder().setValue(EXTENDED).build(),
                plain.toBuilder().setValue(EXTENDED.substring(0, 4)).build(),
                plain.toBuilder().clearValue().build(),
                plain.toBuilder().setValue(PLAIN.substring(1)).build(),
                plain.toBuilder().setValue(PLAIN.substring(0, 12)).build());
    }

    @ParameterizedTest
    @MethodSource("otherAttributes")
    void shouldAskForAllOtherExtendedAttributes(SetXattr set) {
        asked(QueenRequest.newBuilder().setSetXattr(set).build());
    }

    @Test
    void shouldAskForAListWhereThereIsOneAlready() {
        delegate(directory(60, 0755).toBuilder().setAccessAcl(EXTENDED));

        asked(accessList(60, PLAIN));
    }

    @Test
    void shouldAskForAListOfWhatIsBeingChangedOrIsNotDelegated() {
        cache.changing(chmod(HOME, 0700));
        answer(attributes(60), reply(directory(60, 0755)));

        asked(accessList(HOME, PLAIN), accessList(60, PLAIN), accessList(61, PLAIN));
    }

    @Test
    void shouldKnowThatWhatIsMadeHasNoExtendedAttributes() {
        decided(create("f"));
        decided(makeDirectory("d"));
        decided(chmod(FIRST, 0600));

        assertThat(Objects.requireNonNull(cache.rights(FIRST)).getWithoutXattrs())
                .isTrue();
        assertThat(node(FIRST + 1).getWithoutXattrs()).isTrue();
        assertThat(node(HOME).getWithoutXattrs()).as("not said").isFalse();
    }

    private static QueenRequest accessList(long inode, ByteString list) {
        return QueenRequest.newBuilder()
                .setSetXattr(SetXattr.newBuilder()
                        .setInode(inode)
                        .setName(AccessControlList.ACCESS)
                        .setValue(list))
                .build();
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
                        .build());
    }
}
