/** Requests and replies over ordered links. {@link org.beefs.common.rpc.Network} is what the simulator replaces. */
@NullMarked
package org.beefs.common.rpc;

import org.jspecify.annotations.NullMarked;
