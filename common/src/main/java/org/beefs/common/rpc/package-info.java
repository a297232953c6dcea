/**
 * Requests and replies over ordered links, and calls that survive broken ones. {@link org.beefs.common.rpc.Network} is
 * what the simulator replaces; {@link org.beefs.common.rpc.tcp} is the one in production. Nothing here has a thread of
 * its own, and no lock is held while others' code is called.
 */
@NullMarked
package org.beefs.common.rpc;

import org.jspecify.annotations.NullMarked;
