package org.beefs.integration.posix;

import java.nio.file.Path;
import org.beefs.integration.hive.Mounts;

/** Where a test works, and from where another mount looks on. */
enum Place {
    /** Content lies on the desktop itself, and the kernel moves it. */
    LOCAL {
        @Override
        Path here(Mounts mounts) {
            return mounts.local();
        }

        @Override
        Path there(Mounts mounts) {
            return mounts.otherDesktop();
        }
    },
    /** The desktop has no honeycomb. */
    REMOTE {
        @Override
        Path here(Mounts mounts) {
            return mounts.withoutHoneycomb();
        }

        @Override
        Path there(Mounts mounts) {
            return mounts.local();
        }
    };

    abstract Path here(Mounts mounts);

    abstract Path there(Mounts mounts);
}
