package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.content.Contents;
import org.beefs.queenbee.hive.Errands;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.Placement;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.Sessions;

/**
 * Everything that operations work on. Belongs to the namespace thread.
 *
 * @param hive the hive's own number, 16 bytes
 * @param incarnation of this start
 */
public record QueenState(
        QueenBeeConfig config,
        Clock clock,
        ByteString hive,
        long incarnation,
        Journal journal,
        Numbering numbering,
        Namespace namespace,
        Sessions sessions,
        Leases leases,
        Mutator mutator,
        Honeycombs honeycombs,
        Placement placement,
        Errands errands,
        Contents contents) {}
