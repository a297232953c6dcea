package org.beefs.queenbee.namespace;

/** Hears of each change of an inode or of its names, after it was made. */
public interface InodeListener {
    InodeListener NONE = new InodeListener() {
        @Override
        public void changed(Inode inode, long before) {}

        @Override
        public void gone(Inode inode) {}
    };

    /**
     * The inode has changed, at the sequence that it says.
     *
     * @param before sequence of the change before this one
     */
    void changed(Inode inode, long before);

    /** The inode is no more, since the sequence that it says. */
    void gone(Inode inode);
}
