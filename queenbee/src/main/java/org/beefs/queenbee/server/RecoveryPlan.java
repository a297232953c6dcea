package org.beefs.queenbee.server;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/**
 * How a lost queen-bee's state is to be rebuilt.
 *
 * @param honeycombs where those listen whose catalogs are read
 * @param without names of desktops whose honeycombs need not be among them
 * @param serveReadOnly whether to serve what is known also while some of them cannot be reached
 */
public record RecoveryPlan(List<InetSocketAddress> honeycombs, Set<String> without, boolean serveReadOnly) {}
