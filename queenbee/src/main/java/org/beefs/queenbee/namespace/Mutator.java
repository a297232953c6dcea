package org.beefs.queenbee.namespace;

import org.beefs.queenbee.journal.Journal;

/** The one way to change the namespace: to memory and to the journal in one step. Belongs to the namespace thread. */
public final class Mutator {
    private final Namespace namespace;
    private final Journal journal;

    public Mutator(Namespace namespace, Journal journal) {
        this.namespace = namespace;
        this.journal = journal;
    }

    public void apply(Mutation mutation) {
        namespace.apply(mutation, journal.batch());
        journal.advance();
    }
}
