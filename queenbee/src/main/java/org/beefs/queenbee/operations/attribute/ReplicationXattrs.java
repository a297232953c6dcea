package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.ReplicaWords;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.namespace.ReplicationSettings;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.replication.placement.Settings;

/**
 * How a file is replicated, as extended attributes: three that its owner sets, and that a directory gives to what is
 * made in it; and three that tell. They are no part of a listing, so that copying a file with its attributes does not
 * copy them.
 */
final class ReplicationXattrs {
    private static final ByteString PREFIX = ByteString.copyFromUtf8(ReplicationXattr.PREFIX);

    private final Honeycombs honeycombs;
    private final Settings settings;

    ReplicationXattrs(QueenState state) {
        honeycombs = state.honeycombs();
        settings = state.replication().settings();
    }

    static boolean isName(ByteString name) {
        return name.startsWith(PREFIX);
    }

    ByteString get(Inode inode, ByteString name) {
        requireReplicated(inode);
        return ByteString.copyFromUtf8(
                switch (name.toStringUtf8()) {
                    case ReplicationXattr.REPLICAS -> Integer.toString(settings.replicas(inode));
                    case ReplicationXattr.TIME_TO_COHERENCE -> Durations.format(settings.timeToCoherence(inode));
                    case ReplicationXattr.P_FACTOR -> Integer.toString(settings.pFactor(inode));
                    case ReplicationXattr.OWN ->
                        String.join(" ", inode.replication().own());
                    case ReplicationXattr.LOCATION -> location(file(inode));
                    case ReplicationXattr.VERSION -> Long.toString(file(inode).version());
                    default -> throw XattrAccess.absent();
                });
    }

    Mutation setting(Inode inode, ByteString name, ByteString value, Caller caller, long now) {
        Permissions.checkOwner(inode, caller);
        requireReplicated(inode);
        ReplicationSettings old = inode.replication();
        String text = value.toStringUtf8();
        ReplicationSettings changed = switch (name.toStringUtf8()) {
            case ReplicationXattr.REPLICAS ->
                old.withReplicas(OptionalInt.of(number(text, 1, ReplicationSettings.MOST_REPLICAS)));
            case ReplicationXattr.TIME_TO_COHERENCE -> old.withTimeToCoherence(OptionalLong.of(millis(text)));
            case ReplicationXattr.P_FACTOR ->
                old.withPFactor(OptionalInt.of(number(text, 0, ReplicationSettings.MOST_REPLICAS)));
            default -> throw unchangeable(name);
        };
        return new Mutation.SetReplication(inode.number(), changed, now);
    }

    /** The change by which the hive's setting holds again. */
    Mutation removing(Inode inode, ByteString name, Caller caller, long now) {
        Permissions.checkOwner(inode, caller);
        requireReplicated(inode);
        ReplicationSettings old = inode.replication();
        ReplicationSettings changed = switch (name.toStringUtf8()) {
            case ReplicationXattr.REPLICAS -> old.withReplicas(OptionalInt.empty());
            case ReplicationXattr.TIME_TO_COHERENCE -> old.withTimeToCoherence(OptionalLong.empty());
            case ReplicationXattr.P_FACTOR -> old.withPFactor(OptionalInt.empty());
            default -> throw unchangeable(name);
        };
        return new Mutation.SetReplication(inode.number(), changed, now);
    }

    private static void requireReplicated(Inode inode) {
        if (!inode.isRegular() && !inode.isDirectory()) {
            throw XattrAccess.absent();
        }
    }

    private static Inode file(Inode inode) {
        if (!inode.isRegular()) {
            throw XattrAccess.absent();
        }
        return inode;
    }

    /**
     * For each replica a line of desktop, kind, version, epoch, state and whether it can be reached, with tabs between.
     */
    private String location(Inode inode) {
        return ReplicaWords.of(honeycombs, inode).stream()
                .map(replica -> line(replica, inode.epoch()))
                .collect(Collectors.joining("\n"));
    }

    private static String line(ReplicaWords replica, long epoch) {
        return String.join(
                "\t",
                replica.desktop(),
                replica.kind(),
                Long.toString(replica.version()),
                Long.toString(epoch),
                replica.state(),
                replica.presence());
    }

    private static int number(String text, int least, int most) {
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw invalid("'%s' is no number".formatted(text));
        }
        if (number < least || number > most) {
            throw invalid("%d is not between %d and %d".formatted(number, least, most));
        }
        return number;
    }

    private static long millis(String text) {
        Duration duration;
        try {
            duration = Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw invalid("'%s' is no duration; write for example 30s, 5m or 24h".formatted(text));
        }
        if (duration.compareTo(ReplicationSettings.LONGEST) > 0) {
            throw invalid("a time to coherence is at most " + Durations.format(ReplicationSettings.LONGEST));
        }
        return duration.toMillis();
    }

    private static PosixException invalid(String why) {
        return new PosixException(Errno.EINVAL, why);
    }

    private static PosixException unchangeable(ByteString name) {
        return switch (name.toStringUtf8()) {
            case ReplicationXattr.OWN, ReplicationXattr.LOCATION, ReplicationXattr.VERSION ->
                new PosixException(Errno.EPERM, "the attribute only tells");
            default -> new PosixException(Errno.EOPNOTSUPP, "there is no such attribute of beefs");
        };
    }
}
