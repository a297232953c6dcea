package org.beefs.integration;

import java.nio.file.Path;
import org.beefs.integration.hive.Mounts;

/** On a desktop without honeycomb, whose data is all elsewhere. */
class EverydayOperationsRemoteIT extends EverydayOperations {
    @Override
    Path mount(Mounts mounts) {
        return mounts.withoutHoneycomb();
    }
}
