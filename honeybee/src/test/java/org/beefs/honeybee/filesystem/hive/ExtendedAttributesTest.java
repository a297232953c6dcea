package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.USER;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended attributes of what is known to have none. */
class ExtendedAttributesTest {
    private static final ByteString NAME = bytes("user.a");

    private final FakeHive hive = new FakeHive();
    private final FakeQueen queen = hive.queen;
    private final HiveFileSystem files = hive.files;
    private long file;

    @BeforeEach
    void lookAtAFile() {
        queen.grants = true;
        hive.get(hive.session.start());
        file = queen.addFile(
                "f", hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100640));
        queen.node(file).setWithoutXattrs(true);
        look();
    }

    @ParameterizedTest
    @ValueSource(strings = {"user.a", "trusted.a", "security.selinux", "security.capability"})
    void shouldNotAskForWhatIsKnownToBeAbsent(String name) {
        assertThat(hive.failure(files.getXattr(ROOT, file, bytes(name)))).isEqualTo(Errno.ENODATA);

        assertAsked(OperationCase.GET_XATTR, 0);
        assertAsked(OperationCase.GET_ATTRIBUTES, 1);
    }

    @Test
    void shouldListNothingWithoutAsking() {
        assertThat(hive.get(files.listXattrs(ROOT, file))).isEmpty();

        assertAsked(OperationCase.LIST_XATTRS, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"beefs.version", "beefs.here", "system.other", "user.", "nonsense", ""})
    void shouldAskForWhatIsNoOrdinaryAttribute(String name) {
        hive.get(files.getXattr(ROOT, file, bytes(name)));

        assertAsked(OperationCase.GET_XATTR, 1);
    }

    /** She says that they may not. */
    @Test
    void shouldAskForThoseWhoMayNotRead() {
        hive.get(files.getXattr(USER, file, NAME));

        assertAsked(OperationCase.GET_XATTR, 1);
    }

    @Test
    void shouldAskWhereThereAreSomeOrNothingIsKnown() {
        long other = queen.addFile(
                "g", hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100640));
        hive.get(files.getXattr(ROOT, other, NAME));
        hive.get(files.listXattrs(ROOT, other));
        hive.get(files.getAttributes(other));

        hive.get(files.getXattr(ROOT, other, NAME));
        hive.get(files.listXattrs(ROOT, other));

        assertAsked(OperationCase.GET_XATTR, 2);
        assertAsked(OperationCase.LIST_XATTRS, 2);
    }

    @Test
    void shouldKnowItOfAFileThatIsBeingWritten() {
        recall();
        queen.layout(file).setDirty(true);
        look();

        assertThat(hive.failure(files.getXattr(ROOT, file, NAME))).isEqualTo(Errno.ENODATA);

        assertAsked(OperationCase.GET_XATTR, 0);
    }

    @Test
    void shouldAskWhenItWasRecalled() {
        recall();

        hive.get(files.getXattr(ROOT, file, NAME));
        hive.get(files.listXattrs(ROOT, file));

        assertAsked(OperationCase.GET_XATTR, 1);
        assertAsked(OperationCase.LIST_XATTRS, 1);
    }

    @Test
    void shouldAskWhileOneIsBeingSetAndAfterwards() {
        queen.held = OperationCase.SET_XATTR;
        CompletableFuture<Void> set = files.setXattr(ROOT, file, NAME, bytes("value"), false, false);
        hive.timers.runDue();
        assertThat(set).isNotDone();

        hive.get(files.getXattr(ROOT, file, NAME));
        hive.get(files.listXattrs(ROOT, file));
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.letGo();
        hive.get(set);
        hive.get(files.getXattr(ROOT, file, NAME));

        assertAsked(OperationCase.GET_XATTR, 2);
        assertAsked(OperationCase.LIST_XATTRS, 1);
    }

    @Test
    void shouldAskAtOnceForWhatWasSet() {
        hive.get(files.setXattr(ROOT, file, NAME, bytes("value"), false, false));
        hive.get(files.getXattr(ROOT, file, NAME));
        queen.node(file).setWithoutXattrs(false);
        look();

        hive.get(files.getXattr(ROOT, file, NAME));

        assertAsked(OperationCase.GET_XATTR, 2);
    }

    @Test
    void shouldKnowItAgainWhenTheLastOneWasRemoved() {
        hive.get(files.removeXattr(ROOT, file, NAME));
        hive.get(files.getXattr(ROOT, file, NAME));
        assertAsked(OperationCase.GET_XATTR, 1);

        look();

        assertThat(hive.failure(files.getXattr(ROOT, file, NAME))).isEqualTo(Errno.ENODATA);
        assertAsked(OperationCase.GET_XATTR, 1);
    }

    private void look() {
        hive.get(files.getAttributes(file));
    }

    private void recall() {
        hive.get(queen.recall(Recall.newBuilder().addInodes(file).build()));
    }

    private void assertAsked(OperationCase operation, int times) {
        assertThat(queen.requestsOf(operation)).hasSize(times);
    }
}
