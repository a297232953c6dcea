package org.beefs.integration;

import org.beefs.cli.posixtest.Fsx;
import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.Seldom;

/** Through the second driver, which has no shared mappings. */
@Seldom
@OnDriver("jnr")
class FsxJnrIT extends FsxIT {
    @Override
    Fsx suite() {
        return super.suite().withoutMappings();
    }
}
