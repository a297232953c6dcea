package org.beefs.integration;

import java.nio.file.Path;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.OnDriver;

/** Through FUSE over io_uring. */
@OnDriver("rings")
class EverydayOperationsRingsIT extends EverydayOperations {
    @Override
    Path mount(Mounts mounts) {
        return mounts.local();
    }
}
