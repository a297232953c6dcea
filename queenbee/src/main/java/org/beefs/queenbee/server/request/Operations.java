package org.beefs.queenbee.server.request;

import java.util.EnumMap;
import java.util.Map;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.attribute.ChangeReplicationOperation;
import org.beefs.queenbee.operations.attribute.CheckAccessOperation;
import org.beefs.queenbee.operations.attribute.GetAttributesOperation;
import org.beefs.queenbee.operations.attribute.GetXattrOperation;
import org.beefs.queenbee.operations.attribute.ListXattrsOperation;
import org.beefs.queenbee.operations.attribute.RecordAccessesOperation;
import org.beefs.queenbee.operations.attribute.RemoveXattrOperation;
import org.beefs.queenbee.operations.attribute.SetAttributesOperation;
import org.beefs.queenbee.operations.attribute.SetXattrOperation;
import org.beefs.queenbee.operations.file.FindLockOperation;
import org.beefs.queenbee.operations.file.MakeRoomOperation;
import org.beefs.queenbee.operations.file.OpenOperation;
import org.beefs.queenbee.operations.file.ReleaseOperation;
import org.beefs.queenbee.operations.file.SecureContentOperation;
import org.beefs.queenbee.operations.file.SetLockOperation;
import org.beefs.queenbee.operations.hive.CheckOperations;
import org.beefs.queenbee.operations.hive.DeclareLostOperation;
import org.beefs.queenbee.operations.hive.DrainOperation;
import org.beefs.queenbee.operations.hive.EjectOperation;
import org.beefs.queenbee.operations.hive.FileSystemStatusOperation;
import org.beefs.queenbee.operations.hive.ForgetOperation;
import org.beefs.queenbee.operations.hive.HiveStatusOperation;
import org.beefs.queenbee.operations.name.CreateOperation;
import org.beefs.queenbee.operations.name.CreateUnnamedOperation;
import org.beefs.queenbee.operations.name.LinkOperation;
import org.beefs.queenbee.operations.name.ListDirectoryOperation;
import org.beefs.queenbee.operations.name.LookupOperation;
import org.beefs.queenbee.operations.name.MakeDirectoryOperation;
import org.beefs.queenbee.operations.name.MakeNodeOperation;
import org.beefs.queenbee.operations.name.MakeSymbolicLinkOperation;
import org.beefs.queenbee.operations.name.ReadSymbolicLinkOperation;
import org.beefs.queenbee.operations.name.RemoveDirectoryOperation;
import org.beefs.queenbee.operations.name.RenameOperation;
import org.beefs.queenbee.operations.name.UnlinkOperation;
import org.beefs.queenbee.operations.session.DecidedChanges;
import org.beefs.queenbee.operations.session.GoodbyeOperation;
import org.beefs.queenbee.operations.session.HeartbeatOperation;
import org.beefs.queenbee.operations.session.InventoryOperation;
import org.beefs.queenbee.operations.session.RegisterOperation;

/**
 * The operation that serves each request. SYNC and EXPLAIN_WAITS are not among them: {@link Requests} answers these.
 */
public final class Operations {
    private final Map<OperationCase, Operation> operations = new EnumMap<>(OperationCase.class);
    private final DecidedChanges decided;

    public Operations(QueenState state) {
        decided = new DecidedChanges(state, this::of);
        operations.put(OperationCase.REGISTER, new RegisterOperation(state, decided));
        operations.put(OperationCase.HEARTBEAT, new HeartbeatOperation(state));
        operations.put(OperationCase.GOODBYE, new GoodbyeOperation(state));
        operations.put(OperationCase.INVENTORY, new InventoryOperation(state));
        operations.put(OperationCase.HIVE_STATUS, new HiveStatusOperation(state));
        operations.put(OperationCase.DECLARE_LOST, new DeclareLostOperation(state));
        operations.put(OperationCase.FORGET, new ForgetOperation(state));
        operations.put(OperationCase.DRAIN, new DrainOperation(state));
        operations.put(OperationCase.EJECT, new EjectOperation(state));
        operations.put(OperationCase.CHANGE_REPLICATION, new ChangeReplicationOperation(state));
        operations.put(OperationCase.LOOKUP, new LookupOperation(state));
        operations.put(OperationCase.GET_ATTRIBUTES, new GetAttributesOperation(state));
        operations.put(OperationCase.SET_ATTRIBUTES, new SetAttributesOperation(state));
        operations.put(OperationCase.RECORD_ACCESSES, new RecordAccessesOperation(state));
        operations.put(OperationCase.CHECK_ACCESS, new CheckAccessOperation(state));
        operations.put(OperationCase.CREATE, new CreateOperation(state));
        operations.put(OperationCase.CREATE_UNNAMED, new CreateUnnamedOperation(state));
        operations.put(OperationCase.MAKE_NODE, new MakeNodeOperation(state));
        operations.put(OperationCase.MAKE_DIRECTORY, new MakeDirectoryOperation(state));
        operations.put(OperationCase.MAKE_SYMBOLIC_LINK, new MakeSymbolicLinkOperation(state));
        operations.put(OperationCase.READ_SYMBOLIC_LINK, new ReadSymbolicLinkOperation(state));
        operations.put(OperationCase.LINK, new LinkOperation(state));
        operations.put(OperationCase.UNLINK, new UnlinkOperation(state));
        operations.put(OperationCase.REMOVE_DIRECTORY, new RemoveDirectoryOperation(state));
        operations.put(OperationCase.RENAME, new RenameOperation(state));
        operations.put(OperationCase.OPEN, new OpenOperation(state));
        operations.put(OperationCase.RELEASE, new ReleaseOperation(state));
        operations.put(OperationCase.SECURE_CONTENT, new SecureContentOperation(state));
        operations.put(OperationCase.MAKE_ROOM, new MakeRoomOperation(state));
        operations.put(OperationCase.LIST_DIRECTORY, new ListDirectoryOperation(state));
        operations.put(OperationCase.FILE_SYSTEM_STATUS, new FileSystemStatusOperation(state));
        operations.put(OperationCase.GET_XATTR, new GetXattrOperation(state));
        operations.put(OperationCase.SET_XATTR, new SetXattrOperation(state));
        operations.put(OperationCase.LIST_XATTRS, new ListXattrsOperation(state));
        operations.put(OperationCase.REMOVE_XATTR, new RemoveXattrOperation(state));
        operations.put(OperationCase.FIND_LOCK, new FindLockOperation(state));
        operations.put(OperationCase.SET_LOCK, new SetLockOperation(state));
        CheckOperations checks = new CheckOperations(state);
        operations.put(OperationCase.CHECK_INODES, checks::inodes);
        operations.put(OperationCase.CHECK_ENTRIES, checks::entries);
        operations.put(OperationCase.CHECK_REPLICAS, checks::replicas);
    }

    /** Changes that desktops have made before they ask. */
    DecidedChanges decided() {
        return decided;
    }

    public Operation of(OperationCase which) {
        Operation operation = operations.get(which);
        if (operation == null) {
            throw new PosixException(Errno.ENOSYS, "the queen-bee does not know the request " + which);
        }
        return operation;
    }
}
