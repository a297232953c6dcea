package org.beefs.queenbee.operations;

import java.util.EnumMap;
import java.util.Map;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenRequest.OperationCase;

/** Which operation serves which request. Sync is not among them: it changes nothing and is answered by the flush. */
public final class Operations {
    private final Map<OperationCase, Operation> operations = new EnumMap<>(OperationCase.class);

    public Operations(QueenState state) {
        operations.put(OperationCase.REGISTER, new RegisterOperation(state, new DecidedChanges(state, this)));
        operations.put(OperationCase.HEARTBEAT, new HeartbeatOperation(state));
        operations.put(OperationCase.GOODBYE, new GoodbyeOperation(state));
        operations.put(OperationCase.INVENTORY, new InventoryOperation(state));
        operations.put(OperationCase.HIVE_STATUS, new HiveStatusOperation(state));
        operations.put(OperationCase.DECLARE_LOST, new DeclareLostOperation(state));
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

    public Operation of(OperationCase which) {
        Operation operation = operations.get(which);
        if (operation == null) {
            throw new PosixException(Errno.ENOSYS, "the queen-bee does not know the request " + which);
        }
        return operation;
    }
}
