package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.io.IOException;

/** Reaches honeycombs to read their catalogs. Not thread-safe. */
public interface CatalogAccess extends AutoCloseable {
    /**
     * Fails with a sentence for people, also when another honeycomb listens there.
     *
     * @param address as host:port
     * @param honeycomb its UUID
     * @param catalogs how many are read at once
     */
    RecordSource connect(String address, ByteString honeycomb, int catalogs) throws IOException;

    @Override
    void close();
}
