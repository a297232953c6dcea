package org.beefs.queenbee.hive;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.Comparator;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.UserActivity;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.hive.inventory.InventoryProgress;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.state.HoneycombRecord;
import org.jspecify.annotations.Nullable;

/**
 * One folder of replicas, known by its UUID, and what the queen-bee has to tell it. Belongs to the namespace thread.
 */
public final class Honeycomb {
    /** The best place for something new comes first: one that is not being emptied, and of these the most free. */
    public static final Comparator<Honeycomb> ROOMIEST =
            Comparator.comparing(Honeycomb::isDraining).thenComparing(Honeycomb::available, Comparator.reverseOrder());

    /**
     * Bytes of space that are believed at most: more than any disk has, and the sum of a thousand does not overflow.
     */
    private static final long MOST_SPACE = 1L << 53;

    private final int number;
    private final ByteString uuid;
    private LastStart lastStart = LastStart.NONE;
    private String desktop = "";
    private String address = "";
    private HoneycombSpace space = HoneycombSpace.getDefaultInstance();
    private @Nullable Session session;

    private Absence absence = Absence.none();
    private Attendance attendance = Attendance.UNKNOWN;

    /** Whether all replicas are to leave it, and no others to come. */
    private boolean draining;

    private boolean makingRoom;

    private Duration paused = Duration.ZERO;
    private UserActivity userActivity = UserActivity.UNKNOWN;
    private final TrafficRate traffic = new TrafficRate();
    private String program = "";

    private WakeAddresses wake = WakeAddresses.getDefaultInstance();
    private final UnsoundReplicas unsound = new UnsoundReplicas();
    private @Nullable ScrubReport scrub;

    /** The change since which others keep records in its place; 0 while nobody has to. */
    private long retired;

    /** The change with which it was forgotten; 0 while it is not. */
    private long forgotten;

    private final InventoryProgress inventory = new InventoryProgress();
    private final ErrandQueue errandQueue;

    Honeycomb(int number, ByteString uuid, Owing owing) {
        this.number = number;
        this.uuid = uuid;
        errandQueue = new ErrandQueue(new Drops(this, owing));
    }

    /** A small number that inodes refer to. */
    public int number() {
        return number;
    }

    public ByteString uuid() {
        return uuid;
    }

    /** The last start of its folder that was seen. */
    public LastStart lastStart() {
        return lastStart;
    }

    void setMarked(long later) {
        lastStart = lastStart.markedAt(later);
    }

    /** Desktop that it was last seen on. */
    public String desktop() {
        return desktop;
    }

    /** Where it listens, as host:port; empty while it is not connected. */
    public String address() {
        return session == null ? "" : address;
    }

    /** The honeycomb as a place to read replicas from. */
    public ReplicaPlace toPlace() {
        return ReplicaPlace.newBuilder()
                .setHoneycomb(uuid)
                .setAddress(address())
                .setDesktop(desktop)
                .build();
    }

    /** What it has yet to be told. */
    public ErrandQueue errandQueue() {
        return errandQueue;
    }

    /** Its space, as last reported. */
    public HoneycombSpace space() {
        return space;
    }

    /** What replicas may still take. Bytes, as last reported. */
    public long available() {
        return space.getAvailable();
    }

    /** What replicas can take altogether, without what its owner keeps or uses himself. Bytes, as last reported. */
    public long usable() {
        return Math.min(space.getCapacity(), space.getUsed() + space.getAvailable());
    }

    /** Whether its disk has become read-only, as last reported: it takes nothing, and removing frees nothing. */
    public boolean isReadOnly() {
        return space.getReadOnly();
    }

    public void setAvailable(long available) {
        space = credible(space.toBuilder().setAvailable(available));
    }

    /** Sizes are unsigned on the wire; of a negative one nothing is believed. */
    private static HoneycombSpace credible(HoneycombSpace.Builder told) {
        return told.setCapacity(credible(told.getCapacity()))
                .setUsed(credible(told.getUsed()))
                .setAvailable(credible(told.getAvailable()))
                .build();
    }

    private static long credible(long bytes) {
        return Math.clamp(bytes, 0, MOST_SPACE);
    }

    /** The session that serves it now. */
    public @Nullable Session session() {
        return session;
    }

    /** Where it can be asked something; null while it is not connected. */
    public @Nullable DesktopConnection connection() {
        return session == null ? null : session.connection();
    }

    /** Whether content of a file can be had here, as far as is known: it is there, and neither rotten nor missing. */
    public boolean isSound(long inode) {
        return isConnected() && !unsound.isRotten(inode) && !unsound.isMissing(inode);
    }

    public boolean isConnected() {
        return session != null;
    }

    /** For how long nothing is to be copied there or from there, as last reported. */
    public Duration paused() {
        return paused;
    }

    /** Whether somebody uses its desktop, as last reported; unknown while it is not connected. */
    public UserActivity userActivity() {
        return isConnected() ? userActivity : UserActivity.UNKNOWN;
    }

    /** Content that other desktops read and write there now, by its heartbeats. */
    public TrafficRate traffic() {
        return traffic;
    }

    /** Takes what the daemon's heartbeat tells; a newer program may tell values that this one does not know. */
    public void heard(Heartbeat heartbeat, long now) {
        if (heartbeat.hasSpace()) {
            space = credible(heartbeat.getSpace().toBuilder());
        }
        UserActivity told = heartbeat.getUserActivity();
        userActivity = told == UserActivity.UNRECOGNIZED ? UserActivity.UNKNOWN : told;
        paused = Duration.ofMillis(heartbeat.getPausedMillis());
        traffic.told(heartbeat.getTraffic(), now);
    }

    /** Version of the program that serves it, or did so last since the queen-bee's start; empty before. */
    public String program() {
        return program;
    }

    /** How its desktop is woken, as it has told last. */
    public WakeAddresses wake() {
        return wake;
    }

    /** Whether something can be copied there or from there now. */
    public boolean canCopy() {
        return isConnected() && paused.isZero();
    }

    /** Its replicas whose content is not what it was, or that are not there. */
    public UnsoundReplicas unsound() {
        return unsound;
    }

    /** How far the check of its replicas is, as last reported; null before that. */
    public @Nullable ScrubReport scrub() {
        return scrub;
    }

    public void setScrub(ScrubReport scrub) {
        this.scrub = scrub;
    }

    /** What it tells of its replicas. */
    public InventoryProgress inventory() {
        return inventory;
    }

    public Presence presence() {
        if (isConnected()) {
            return Presence.AWAKE;
        }
        return absence.isLost() ? Presence.LOST : Presence.ASLEEP;
    }

    /** How long it is away, and what follows from that. */
    public Absence absence() {
        return absence;
    }

    /** Whether it is away, and nobody has said that it does not come back. */
    public boolean mayComeBack() {
        return !isConnected() && !absence.isDeclared();
    }

    /** How much of the last days it was there, as far as was seen. */
    public Attendance attendance() {
        return attendance;
    }

    /**
     * The change since which others keep in its place the records of what has no content; 0 while none has to. The
     * honeycomb keeps the records that it has, and stays retired when it comes back, so that the others go on keeping
     * theirs.
     */
    public long retired() {
        return retired;
    }

    /** Whether others keep records in its place. */
    public boolean isRetired() {
        return retired != 0;
    }

    void setRetired(long change) {
        retired = change;
    }

    /**
     * Whether an administrator has had it forgotten, for good: nobody waits for it or counts on it, and it is not taken
     * in again.
     */
    public boolean isForgotten() {
        return forgotten != 0;
    }

    void setForgotten(long change) {
        forgotten = change;
        absence.becomeFinal();
    }

    /** Whether all replicas are to leave it, and no others to come. */
    public boolean isDraining() {
        return draining;
    }

    /** Whether replicas are leaving it for want of space: it takes none meanwhile, whatever it tells of its space. */
    public boolean isMakingRoom() {
        return makingRoom;
    }

    public void setMakingRoom(boolean makingRoom) {
        this.makingRoom = makingRoom;
    }

    void setDraining(boolean draining) {
        this.draining = draining;
    }

    void setAttendance(Attendance attendance) {
        this.attendance = attendance;
    }

    /** @param last the journal's last change */
    void connected(HoneycombOffer offer, Session by, long last) {
        errandQueue.drops().connected(lastStart.process() != by.process());
        lastStart = LastStart.of(offer, by.process());
        desktop = by.desktop();
        address = offer.getAddress();
        space = credible(offer.getSpace().toBuilder());
        if (offer.hasWake()) {
            wake = offer.getWake();
        }
        absence = Absence.none();
        paused = Duration.ZERO;
        userActivity = UserActivity.UNKNOWN;
        traffic.stop();
        program = by.program();
        if (session != by || !inventory.isOver(by.connection())) {
            inventory.begin(by.connection(), last);
        }
        session = by;
    }

    /** @param authorityEnd when its daemon certainly lets nobody write any more, by the boot clock */
    void disconnected(long authorityEnd) {
        session = null;
        absence = new Absence(authorityEnd);
    }

    /** What has to be known of it again after a restart. */
    public HoneycombRecord toRecord() {
        HoneycombRecord.Builder record = HoneycombRecord.newBuilder()
                .setUuid(uuid)
                .setBoot(lastStart.boot())
                .setProcess(lastStart.process())
                .setStart(lastStart.number())
                .setMarked(lastStart.marked())
                .setLock(lastStart.lock())
                .setDesktop(desktop)
                .setDraining(draining)
                .setRetired(retired)
                .setForgotten(forgotten)
                .setAttendance(attendance.thousandths())
                .addAllCards(wake.getCardsList())
                .addAllBroadcasts(wake.getBroadcastsList());
        absence.writeTo(record);
        return record.build();
    }

    /** @param authorityEnd as {@link #disconnected} has it */
    static Honeycomb of(int number, HoneycombRecord record, long authorityEnd, Owing owing) {
        Honeycomb honeycomb = new Honeycomb(number, record.getUuid(), owing);
        honeycomb.lastStart = new LastStart(
                record.getBoot(), record.getProcess(), record.getStart(), record.getMarked(), record.getLock());
        honeycomb.desktop = record.getDesktop();
        honeycomb.absence = Absence.of(record, authorityEnd);
        honeycomb.draining = record.getDraining();
        honeycomb.retired = record.getRetired();
        if (record.getForgotten() != 0) {
            honeycomb.setForgotten(record.getForgotten());
        }
        if (record.hasAttendance()) {
            honeycomb.attendance = Attendance.ofThousandths(record.getAttendance());
        }
        honeycomb.wake = WakeAddresses.newBuilder()
                .addAllCards(record.getCardsList())
                .addAllBroadcasts(record.getBroadcastsList())
                .build();
        return honeycomb;
    }
}
