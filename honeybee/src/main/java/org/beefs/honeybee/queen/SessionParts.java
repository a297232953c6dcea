package org.beefs.honeybee.queen;

import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.cache.InodeSupply;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.heldback.SendingTerm;

/**
 * What a session has in common for all that is asked and told in it: it outlives connections, and registrations tell of
 * it or begin it anew.
 *
 * @param desktop the daemon that registers
 * @param opens all that programs have open
 * @param untold those of them that the queen-bee has not heard of
 * @param answered changes that her disk may not have yet
 * @param supply inode numbers for what is made here
 * @param sending for how long what is held back may be sent to honeycombs
 * @param cache what is known under leases
 * @param term for how long contents may be changed
 */
record SessionParts(
        Desktop desktop,
        RpcEnvironment rpc,
        OpenRegistry opens,
        UntoldOpens untold,
        AnsweredChanges answered,
        InodeSupply supply,
        SendingTerm sending,
        MetadataCache cache,
        WriteTerm term) {
    Clock clock() {
        return rpc.clock();
    }

    Timers timers() {
        return rpc.timers();
    }
}
