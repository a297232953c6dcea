package org.beefs.queenbee.recovery;

import java.io.IOException;

/** Hears how the records of catalogs are collected; what it throws ends that. */
public interface CollectionListener {
    /**
     * Called for each inode.
     *
     * @param done records read so far, of all catalogs
     * @param all number of records in all catalogs, as far as known
     */
    void reached(long done, long all) throws IOException;

    /** A catalog is left out, because its desktop was forgotten. */
    default void forgotten(String catalog) {}

    /**
     * A record is left out because no queen-bee can have written it.
     *
     * @param catalog the name of that in which it is
     */
    void leftOut(long inode, String catalog);

    /**
     * The latest record of a file says that it is in a honeycomb that the hive does not have. That replica is left out.
     *
     * @param name what the file is called, as one of its names
     * @param catalog the name of that in which the record is
     * @param kept whether the file is in others as well; otherwise its record is left out
     */
    default void inUnknownHoneycomb(long file, String name, String catalog, boolean kept) {}

    /**
     * The latest record of an inode makes no sense. If nothing is thrown it goes on without that inode.
     *
     * @param catalog the name of that in which it is
     */
    void damaged(long inode, String catalog, IOException cause) throws IOException;
}
