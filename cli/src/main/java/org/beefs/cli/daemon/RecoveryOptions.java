package org.beefs.cli.daemon;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * How a lost queen-bee's state is to be rebuilt.
 *
 * @param honeycombs where those listen whose catalogs are read
 * @param serveReadOnly whether to serve what is known also while some of them cannot be reached
 */
public record RecoveryOptions(List<InetSocketAddress> honeycombs, boolean serveReadOnly) {}
