package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.state.ReplicaId;

/** Looks at a disk that no daemon uses any more. */
final class Replicas {
    private Replicas() {}

    /** Content of each replica, by inode number. */
    static Map<Long, ByteString> of(MemoryDisk disk) {
        ReplicaFiles folder = disk.mount();
        Map<Long, ByteString> contents = new TreeMap<>();
        for (ReplicaId id : disk.replicas()) {
            ReplicaFile file = folder.open(id);
            if (file != null) {
                contents.put(id.inode(), content(file));
            }
        }
        return contents;
    }

    static ByteString content(ReplicaFile file) {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) file.status().size());
        file.read(bytes, 0);
        return ByteString.copyFrom(bytes.flip());
    }
}
