package org.beefs.integration.realprograms;

import java.io.IOException;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.Seldom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through the second driver. */
@Seldom
@OnDriver("jnr")
class RealProgramsJnrIT extends RealProgramsIT {
    /** Not with a write-ahead log: SQLite shares memory for that, which this driver cannot give. */
    @Override
    @ParameterizedTest
    @ValueSource(strings = {"delete", "truncate", "persist"})
    void shouldShareADatabaseBetweenMounts(String mode, Mounts mounts) throws IOException {
        super.shouldShareADatabaseBetweenMounts(mode, mounts);
    }
}
