package org.beefs.integration;

import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.Seldom;

/** Where the kernel has no rings, or must not use them. */
@Seldom
@OnDriver("readers")
class NeverStuckReadersIT extends NeverStuckIT {}
