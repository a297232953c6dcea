package org.beefs.integration.realprograms;

import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.LongOnly;

/** Through the second driver. */
@LongOnly
@OnDriver("jnr")
class RealProgramsJnrIT extends RealProgramsIT {}
