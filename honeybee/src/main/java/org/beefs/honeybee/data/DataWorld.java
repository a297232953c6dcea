package org.beefs.honeybee.data;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Layout;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.heldback.SendingTerm;

/**
 * What the way to honeycombs needs of its surroundings.
 *
 * @param config bounds and patience
 * @param rpc network, timers, clock, randomness
 * @param hello how this daemon greets
 * @param session number of its present session with the queen-bee
 * @param mayChange whether this desktop may change contents now
 * @param layouts asks the queen-bee for the present layout of an inode
 * @param leases what that session may believe
 * @param sending for how long what is held back may be sent
 */
public record DataWorld(
        HoneybeeConfig config,
        RpcEnvironment rpc,
        Hello hello,
        LongSupplier session,
        BooleanSupplier mayChange,
        LongFunction<CompletableFuture<Layout>> layouts,
        MetadataCache leases,
        SendingTerm sending) {}
