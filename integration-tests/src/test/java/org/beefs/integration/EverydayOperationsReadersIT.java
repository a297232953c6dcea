package org.beefs.integration;

import java.nio.file.Path;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.OnDriver;

/** Where the kernel has no rings, or must not use them. */
@OnDriver("readers")
class EverydayOperationsReadersIT extends EverydayOperations {
    @Override
    Path mount(Mounts mounts) {
        return mounts.local();
    }
}
