package org.beefs.queenbee.recovery;

import java.io.IOException;

/** Reaches honeycombs to read their catalogs. Not thread-safe. */
public interface CatalogAccess extends AutoCloseable {
    /**
     * Fails with a sentence for people.
     *
     * @param address as host:port
     * @param catalogs how many are read at once
     */
    RecordSource connect(String address, int catalogs) throws IOException;

    @Override
    void close();
}
