package org.beefs.integration;

import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.Seldom;

/** Through FUSE over io_uring. */
@Seldom
@OnDriver("rings")
class FsxRingsIT extends FsxIT {}
