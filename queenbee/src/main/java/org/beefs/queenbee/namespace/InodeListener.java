package org.beefs.queenbee.namespace;

/** Hears of each change of an inode or of its names, after it was made. */
public interface InodeListener {
    InodeListener NONE = new InodeListener() {
        @Override
        public void changed(Inode inode, long before) {}

        @Override
        public void gone(Inode inode) {}
    };

    /** Both hear, in this order. */
    static InodeListener both(InodeListener first, InodeListener second) {
        return new InodeListener() {
            @Override
            public void changed(Inode inode, long before) {
                first.changed(inode, before);
                second.changed(inode, before);
            }

            @Override
            public void gone(Inode inode) {
                first.gone(inode);
                second.gone(inode);
            }
        };
    }

    /**
     * The inode has changed, at the sequence that it says.
     *
     * @param before sequence of the change before this one
     */
    void changed(Inode inode, long before);

    /** The inode is no more, since the sequence that it says. */
    void gone(Inode inode);
}
