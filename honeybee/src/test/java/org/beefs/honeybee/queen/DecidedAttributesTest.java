package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.beefs.honeybee.fake.FakeHive;
import org.junit.jupiter.api.Test;

/** How the queen-bee is told of attributes that were set here before she was asked. */
class DecidedAttributesTest extends DelegatedHomeTest {
    /** u::rwx g::r-x o::--- */
    private static final ByteString PLAIN_LIST = ByteString.copyFrom(
            new byte[] {2, 0, 0, 0, 1, 0, 7, 0, -1, -1, -1, -1, 4, 0, 5, 0, -1, -1, -1, -1, 32, 0, 0, 0, -1, -1, -1, -1
            });

    @Test
    void shouldAskOnceForAttributesThatAreSetOneAfterTheOther() {
        long file = file("f");
        set(file, set -> set.setUid(1000).setGid(1000));
        set(file, set -> set.setMode(0600));
        set(file, set -> set.setMode(04755));
        set(file, set -> set.setGid(100));
        assertThat(asked()).isEmpty();

        hive.pass(SOON);

        assertThat(asked()).singleElement().satisfies(asked -> {
            assertThat(asked.getDecision().getInode()).isEqualTo(file);
            assertThat(asked.getSetAttributes())
                    .isEqualTo(SetAttributes.newBuilder()
                            .setInode(file)
                            .setUid(1000)
                            .setGid(100)
                            .setMode(0755)
                            .build());
        });
        assertThat(Objects.requireNonNull(hive.session.cache().rights(file))
                                .getAttributes()
                                .getMode()
                        & 07777)
                .isEqualTo(0755);
        assertThat(hive.session.settled()).isCompleted();
    }

    /** As {@code cp -a} does. */
    @Test
    void shouldAskForAListThatSaysNoMoreThanAModeTogetherWithOtherAttributes() {
        long file = file("f");
        set(file, set -> set.setUid(1000).setGid(100));
        assertThat(hive.proxy.setXattr(
                        ROOT,
                        SetXattr.newBuilder()
                                .setInode(file)
                                .setName(AccessControlList.ACCESS)
                                .setValue(PLAIN_LIST)
                                .build()))
                .isCompleted();
        assertThat(hive.files.getXattr(ROOT, file, AccessControlList.ACCESS)).isCompletedExceptionally();

        hive.pass(SOON);

        assertThat(asked())
                .singleElement()
                .extracting(QueenRequest::getSetAttributes)
                .isEqualTo(SetAttributes.newBuilder()
                        .setInode(file)
                        .setUid(1000)
                        .setGid(100)
                        .setMode(0750)
                        .build());
        assertThat(queen.requestsOf(OperationCase.SET_XATTR)).isEmpty();
    }

    @Test
    void shouldAskForAttributesBeforeWhateverIsMadeOrAskedNext() {
        queen.held = OperationCase.SET_ATTRIBUTES;
        long file = file("f");
        set(file, set -> set.setMode(0600));
        set(home, set -> set.setMode(0700));
        hive.get(makeDirectory(home, "d"));
        set(file, set -> set.setMode(0640));
        hive.proxy.attributes(home + 1000);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(
                        OperationCase.CREATE,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.MAKE_DIRECTORY,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.GET_ATTRIBUTES);
    }

    @Test
    void shouldNotPutTogetherWhatDifferentCallersSet() {
        long file = file("f");
        set(file, set -> set.setUid(FakeHive.USER.getUid()));
        hive.get(hive.proxy.setAttributes(
                FakeHive.USER,
                SetAttributes.newBuilder().setInode(file).setMode(0600).build()));
        hive.pass(SOON);

        assertThat(asked())
                .extracting(asked -> asked.getCredentials().getUid())
                .containsExactly(0, FakeHive.USER.getUid());
    }

    @Test
    void shouldAskForAttributesWhenTheyAreRecalled() {
        long file = file("f");
        set(file, set -> set.setMode(0600));

        hive.get(queen.recall(Recall.newBuilder().addInodes(file).build()));

        assertThat(asked()).hasSize(1);
    }

    @Test
    void shouldBringAttributesThatWereNotAskedForWithARegistration() {
        long file = file("f");
        setModeAndOwner(file);
        queen.breakConnections();
        hive.pass(WHILE);

        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(QueenRequest::getSetAttributes)
                .containsExactly(modeAndOwner(file));
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldLeaveAttributesThatWereNotAskedForToTheNextProcess() {
        long file = file("f");
        hive.pass(SOON);
        setModeAndOwner(file);

        assertThat(new DecidedLog(hive.decided, "start").left())
                .extracting(QueenRequest::getSetAttributes)
                .containsExactly(modeAndOwner(file));
    }

    @Test
    void shouldLeaveNothingToTheNextProcessThatIsAnswered() {
        long file = file("f");
        setModeAndOwner(file);
        hive.pass(SOON);

        assertThat(new DecidedLog(hive.decided, "start").left()).isEmpty();
    }

    /** As the superuser. */
    private void set(long inode, UnaryOperator<SetAttributes.Builder> change) {
        hive.get(hive.proxy.setAttributes(
                ROOT, change.apply(SetAttributes.newBuilder().setInode(inode)).build()));
    }

    private void setModeAndOwner(long inode) {
        set(inode, set -> set.setMode(0600));
        set(inode, set -> set.setUid(7));
    }

    /** What {@link #setModeAndOwner} asks for in the end. */
    private static SetAttributes modeAndOwner(long inode) {
        return SetAttributes.newBuilder()
                .setInode(inode)
                .setMode(0600)
                .setUid(7)
                .build();
    }

    private List<QueenRequest> asked() {
        return queen.requestsOf(OperationCase.SET_ATTRIBUTES);
    }
}
