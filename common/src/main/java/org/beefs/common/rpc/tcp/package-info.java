/**
 * The network itself: links over TCP on Netty, with what lies below the frames.
 * {@link org.beefs.common.rpc.tcp.TcpNetwork} opens and accepts them, of who has the hive's key
 * ({@link org.beefs.common.rpc.tcp.HiveKey}) and has greeted. A link belongs to one event loop; frames may be sent from
 * any thread. Only what is wired to real sockets knows this package: all others have a
 * {@link org.beefs.common.rpc.Network}.
 */
@NullMarked
package org.beefs.common.rpc.tcp;

import org.jspecify.annotations.NullMarked;
