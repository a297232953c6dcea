package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetLock;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Timestamp;
import org.beefs.common.wire.Unlink;
import org.junit.jupiter.api.Test;

class AnsweredChangesTest {
    private static final QueenRequest MKDIR = QueenRequest.newBuilder()
            .setMakeDirectory(MakeDirectory.newBuilder().setParent(1).setName(ByteString.copyFromUtf8("folder")))
            .build();

    private final AnsweredChanges changes = new AnsweredChanges();

    @Test
    void shouldKeepAChangeUntilItIsOnTheQueenBeesDisk() {
        changes.answered(MKDIR, made(7, 100).setDurableSequence(6).build());
        changes.answered(MKDIR, made(8, 101).setDurableSequence(6).build());
        assertThat(changes.toWire()).extracting(AnsweredChange::getChange).containsExactly(7L, 8L);

        changes.answered(lookup(), QueenReply.newBuilder().setDurableSequence(7).build());

        assertThat(changes.toWire()).extracting(AnsweredChange::getChange).containsExactly(8L);
        assertThat(changes.durable()).isEqualTo(7);
    }

    @Test
    void shouldSayWhatWasChosen() {
        QueenReply reply = QueenReply.newBuilder()
                .setSequence(7)
                .setNode(node(100, 5)
                        .setCreated(true)
                        .setLayout(Layout.newBuilder()
                                .setHoneycomb(ByteString.copyFromUtf8("honeycomb"))
                                .setEpoch(3)))
                .build();
        QueenRequest create =
                QueenRequest.newBuilder().setCreate(Create.getDefaultInstance()).build();

        changes.answered(create, reply);

        assertThat(changes.toWire())
                .containsExactly(AnsweredChange.newBuilder()
                        .setChange(7)
                        .setRequest(create)
                        .setTime(Timestamp.newBuilder().setSeconds(5))
                        .setInode(100)
                        .setHoneycomb(ByteString.copyFromUtf8("honeycomb"))
                        .setEpoch(3)
                        .build());
    }

    @Test
    void shouldTakeTheTimeFromWhateverWasTouched() {
        QueenReply reply = QueenReply.newBuilder()
                .setSequence(7)
                .addTouched(node(1, 4))
                .addTouched(node(2, 9))
                .build();

        changes.answered(
                QueenRequest.newBuilder().setUnlink(Unlink.getDefaultInstance()).build(), reply);

        assertThat(changes.toWire().getFirst().getTime().getSeconds()).isEqualTo(9);
    }

    @Test
    void shouldSayWhatTheNamesStoodFor() {
        QueenRequest rename =
                QueenRequest.newBuilder().setRename(Rename.getDefaultInstance()).build();

        changes.answered(
                rename,
                QueenReply.newBuilder()
                        .setSequence(7)
                        .addNamed(100)
                        .addNamed(101)
                        .setStillNamed(true)
                        .build());

        AnsweredChange change = changes.toWire().getFirst();
        assertThat(change.getNamedList()).containsExactly(100L, 101L);
        assertThat(change.getStillNamed()).isTrue();
    }

    @Test
    void shouldLeaveOutWhatIsNoChangeOrIsToldOtherwise() {
        changes.answered(lookup(), made(7, 100).build());
        changes.answered(
                QueenRequest.newBuilder().setOpen(Open.getDefaultInstance()).build(),
                made(8, 100).build());
        changes.answered(
                QueenRequest.newBuilder().setCreate(Create.getDefaultInstance()).build(),
                made(9, 100).build());
        changes.answered(MKDIR, QueenReply.getDefaultInstance());

        assertThat(changes.toWire()).isEmpty();
    }

    @Test
    void shouldKeepLocksAsIfNobodyHadWaited() {
        SetLock lock = SetLock.newBuilder()
                .setInode(100)
                .setMode(LockMode.EXCLUSIVE)
                .setWait(true)
                .setTicket(3)
                .build();

        changes.answered(
                QueenRequest.newBuilder().setSetLock(lock).build(),
                QueenReply.newBuilder().setSequence(7).build());
        changes.granted(lock, 8);

        assertThat(changes.toWire())
                .extracting(change -> change.getRequest().getSetLock())
                .containsExactly(plain(lock), plain(lock));
    }

    @Test
    void shouldBeFullOfManyOrLargeChanges() {
        for (long change = 1; change < 8192; change++) {
            changes.answered(MKDIR, made(change, change).build());
        }
        assertThat(changes.isFull()).isFalse();
        changes.answered(MKDIR, made(8192, 8192).build());
        assertThat(changes.isFull()).isTrue();
        changes.settle(8192);
        assertThat(changes.isFull()).isFalse();

        QueenRequest large = QueenRequest.newBuilder()
                .setSetXattr(SetXattr.newBuilder().setValue(ByteString.copyFrom(new byte[65_536])))
                .build();
        for (long change = 8193; change <= 8193 + 16; change++) {
            changes.answered(large, QueenReply.newBuilder().setSequence(change).build());
        }
        assertThat(changes.isFull()).isTrue();
    }

    private static SetLock plain(SetLock lock) {
        return lock.toBuilder().clearWait().clearTicket().build();
    }

    private static QueenRequest lookup() {
        return QueenRequest.newBuilder().setLookup(Lookup.getDefaultInstance()).build();
    }

    private static QueenReply.Builder made(long change, long inode) {
        return QueenReply.newBuilder().setSequence(change).setNode(node(inode, 5));
    }

    private static Node.Builder node(long inode, long seconds) {
        return Node.newBuilder()
                .setAttributes(Attributes.newBuilder()
                        .setInode(inode)
                        .setCtime(Timestamp.newBuilder().setSeconds(seconds)));
    }
}
