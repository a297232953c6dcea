package org.beefs.queenbee.replication.placement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.SplitMix;
import org.beefs.queenbee.hive.WaterMarks;
import org.beefs.queenbee.namespace.Inode;

/**
 * Chooses where secondary replicas go: to different desktops, none of them the primary's, the more often the more space
 * is free there and the more of the last days it was awake, and never so that others would have to leave. The choice
 * follows from the inode's number, so that it needs no dice and files are spread (weighted rendezvous hashing). Belongs
 * to the namespace thread.
 */
public final class Targets {
    private static final double LEAST_ATTENDANCE = 0.05;

    private final Honeycombs honeycombs;
    private final ByteSize room;
    private final WaterMarks marks;
    private final Predicate<Honeycomb> admits;
    private final FullDisks fullDisks;
    private final RefusedVersions refusedVersions;
    private final Unreached unreached;
    private final Promises promises = new Promises();

    /** Honeycombs that take anything, as of the last {@link #refresh}. */
    private List<Honeycomb> open = List.of();

    /**
     * @param room what must be left of a honeycomb's space after a copy
     * @param admits whether more copies may wait for a honeycomb; otherwise others are chosen
     * @param fullDisks whose disks take nothing at present
     * @param refusedVersions which files some have no room for
     * @param unreached who could not fetch a file
     */
    public Targets(
            Honeycombs honeycombs,
            ByteSize room,
            WaterMarks marks,
            Predicate<Honeycomb> admits,
            FullDisks fullDisks,
            RefusedVersions refusedVersions,
            Unreached unreached) {
        this.honeycombs = honeycombs;
        this.room = room;
        this.marks = marks;
        this.admits = admits;
        this.fullDisks = fullDisks;
        this.refusedVersions = refusedVersions;
        this.unreached = unreached;
    }

    /** The honeycomb was chosen for a file: its space counts from now on, and nothing that it refused before. */
    public void promise(Honeycomb honeycomb, Inode inode) {
        refusedVersions.forget(honeycomb, inode.number());
        promises.make(honeycomb, inode);
    }

    /** The space that chosen honeycombs will take. */
    public Promises promises() {
        return promises;
    }

    /**
     * Finds out what is the same for all files. Called now and then, so that going through the namespace costs little
     * for each.
     */
    public void refresh() {
        open = honeycombs.all().stream().filter(this::isOpen).toList();
    }

    /** Whether there is a honeycomb for a further secondary of a file, as of the last {@link #refresh}. */
    public boolean haveRoomFor(Inode inode) {
        if (open.isEmpty()) {
            return false;
        }
        Set<String> taken = desktopsOf(inode);
        return open.stream().anyMatch(honeycomb -> !taken.contains(honeycomb.desktop()) && hasRoom(honeycomb, inode));
    }

    /**
     * Whether there is a honeycomb for a further secondary of a file, now or when something has passed that does: as
     * many copies wait for it as may, it is paused, is making room itself, or its disk has refused something, but not
     * again and again.
     */
    public boolean willHaveRoomFor(Inode inode) {
        return honeycombs.all().stream()
                .anyMatch(honeycomb -> honeycomb.isConnected()
                        && isAboveMarks(honeycomb)
                        && !honeycomb.isDraining()
                        && !fullDisks.hasRepeatedly(honeycomb)
                        && hasRoom(honeycomb, inode)
                        && !desktopsOf(inode).contains(honeycomb.desktop()));
    }

    /** At most so many honeycombs for further secondaries of a file; fewer where the hive has no more. */
    public List<Honeycomb> choose(Inode inode, int count) {
        Set<String> taken = desktopsOf(inode);
        LeastLots least = new LeastLots(count);
        for (Honeycomb honeycomb : honeycombs.all()) {
            if (isOpen(honeycomb)) {
                double lot = draw(inode, honeycomb);
                if (least.mayTake(lot) && !taken.contains(honeycomb.desktop()) && hasRoom(honeycomb, inode)) {
                    least.offer(honeycomb, lot);
                }
            }
        }
        return least.honeycombs();
    }

    /** Whether that honeycomb can take a further secondary of a file. */
    public boolean canTake(Honeycomb honeycomb, Inode inode) {
        return takesCopies(honeycomb)
                && hasRoom(honeycomb, inode)
                && !desktopsOf(inode).contains(honeycomb.desktop());
    }

    private Set<String> desktopsOf(Inode inode) {
        Set<String> desktops = new HashSet<>();
        desktops.add(honeycombs.of(inode).desktop());
        inode.secondaries()
                .honeycombs()
                .mapToObj(honeycombs::numbered)
                .map(Honeycomb::desktop)
                .forEach(desktops::add);
        return desktops;
    }

    private boolean isOpen(Honeycomb honeycomb) {
        return takesCopies(honeycomb) && admits.test(honeycomb);
    }

    private boolean takesCopies(Honeycomb honeycomb) {
        return honeycomb.canCopy()
                && !honeycomb.isDraining()
                && !honeycomb.isMakingRoom()
                && !fullDisks.has(honeycomb)
                && isAboveMarks(honeycomb);
    }

    private boolean isAboveMarks(Honeycomb honeycomb) {
        return honeycomb.available() >= room.bytes() && honeycomb.available() >= marks.highMark(honeycomb);
    }

    /** Bytes that would be free there with a copy of the file. */
    private long left(Honeycomb honeycomb, Inode inode) {
        return promises.available(honeycomb) - inode.space();
    }

    private boolean hasRoom(Honeycomb honeycomb, Inode inode) {
        return honeycomb.number() != inode.honeycomb()
                && !honeycomb.errandQueue().drops().has(inode.number())
                && !honeycomb.errandQueue().conflicts().has(inode.number())
                && !unreached.keepsApart(honeycomb, inode)
                && !refusedVersions.hasLately(honeycomb, inode.number())
                && fits(honeycomb, inode);
    }

    /** Whether the honeycomb has room for a copy of the file's newest version, by what it has reported. */
    public boolean fits(Honeycomb honeycomb, Inode inode) {
        return left(honeycomb, inode) >= room.bytes() && left(honeycomb, inode) >= marks.highMark(honeycomb);
    }

    /**
     * A number for the honeycomb. Among several honeycombs each has the least with a probability in proportion to its
     * weight.
     */
    private static double draw(Inode inode, Honeycomb honeycomb) {
        double uniform = ((SplitMix.mix(inode.number() * 31 + honeycomb.number()) >>> 11) + 1) * 0x1p-53;
        return -Math.log(uniform) / weight(honeycomb);
    }

    /**
     * The weight of a honeycomb. One that is there for a small part of the time has some all the same, or a hive of
     * such desktops would have no copies.
     */
    private static double weight(Honeycomb honeycomb) {
        return honeycomb.available()
                * Math.max(LEAST_ATTENDANCE, honeycomb.attendance().share());
    }
}
