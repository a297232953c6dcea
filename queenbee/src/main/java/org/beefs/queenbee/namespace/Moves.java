package org.beefs.queenbee.namespace;

/** The two mutations of rename. */
final class Moves {
    private Moves() {}

    static void move(Mutation.Move move, Change change) {
        Inode from = change.directory(move.oldParent());
        Inode to = change.directory(move.newParent());
        Dentry source = change.entry(from, move.oldName());
        Dentry target = to.directory().find(move.newName());
        Inode inode = source.inode;
        change.removeEntry(from, source, move.time());
        if (target == null) {
            change.addEntry(to, move.newName(), move.cookie(), inode, move.time());
        } else {
            replace(to, target, inode, move.time(), change);
        }
        moved(inode, from, to, move.time(), change);
    }

    static void exchange(Mutation.Exchange exchange, Change change) {
        Inode firstParent = change.directory(exchange.firstParent());
        Inode secondParent = change.directory(exchange.secondParent());
        Dentry first = change.entry(firstParent, exchange.firstName());
        Dentry second = change.entry(secondParent, exchange.secondName());
        Inode inode = first.inode;
        change.replaceTarget(firstParent, first, second.inode);
        change.replaceTarget(secondParent, second, inode);
        change.contentChanged(firstParent, exchange.time());
        change.contentChanged(secondParent, exchange.time());
        moved(second.inode, firstParent, secondParent, exchange.time(), change);
        moved(first.inode, secondParent, firstParent, exchange.time(), change);
    }

    private static void replace(Inode directory, Dentry target, Inode by, long time, Change change) {
        Inode replaced = target.inode;
        change.replaceTarget(directory, target, by);
        change.contentChanged(directory, time);
        if (replaced.isDirectory()) {
            change.loseDirectory(directory, replaced, time);
        } else {
            change.loseLink(replaced, time);
        }
    }

    private static void moved(Inode inode, Inode from, Inode to, long time, Change change) {
        inode.ctime = time;
        change.touched(inode);
        if (inode.isDirectory() && from != to) {
            inode.directory().parent = to;
            from.links--;
            to.links++;
        }
    }
}
