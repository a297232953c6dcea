package org.beefs.integration;

import java.nio.file.Path;
import org.beefs.integration.hive.Mounts;

/** With data in the desktop's own honeycomb. */
class EverydayOperationsLocalIT extends EverydayOperations {
    @Override
    Path mount(Mounts mounts) {
        return mounts.local();
    }
}
