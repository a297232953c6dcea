package org.beefs.integration;

import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.LongOnly;

/** Through the second driver. */
@LongOnly
@OnDriver("jnr")
class KillsJnrIT extends KillsIT {}
