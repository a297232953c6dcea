package org.beefs.integration.walk;

/** What may have changed of one inode, besides the attributes that stat tells: nothing at first. For one thread. */
final class Change {
    private static final int PAGE = 4096;

    private boolean entries;
    private boolean xattrs;
    private int from = Integer.MAX_VALUE;
    private int to;

    /** As if all of it had changed. */
    static Change ofAll() {
        Change all = new Change();
        all.entries = true;
        all.xattrs = true;
        all.from = 0;
        all.to = Integer.MAX_VALUE;
        return all;
    }

    void ofEntries() {
        entries = true;
    }

    void ofXattrs() {
        xattrs = true;
    }

    /** To whole pages: what goes wrong with a part of a page also goes wrong around it. */
    void ofBytes(int first, int end) {
        from = Math.min(from, first - first % PAGE);
        to = Math.max(to, end + (PAGE - end % PAGE) % PAGE);
    }

    boolean hasEntries() {
        return entries;
    }

    boolean hasXattrs() {
        return xattrs;
    }

    boolean hasBytes() {
        return from < to;
    }

    /** Of the first byte that may have changed. */
    int from() {
        return from;
    }

    /** Behind the last byte that may have changed. */
    int to() {
        return to;
    }
}
