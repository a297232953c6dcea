package org.beefs.queenbee.hive;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.wire.FolderStart;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.UserActivity;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.state.HoneycombRecord;
import org.jspecify.annotations.Nullable;

/**
 * One folder of replicas, known by its UUID, and what the queen-bee has to tell it. What waits is bounded by the number
 * of files. Belongs to the namespace thread.
 */
public final class Honeycomb {
    /** Where something new had better go comes first: nowhere that is to be emptied, then where most is free. */
    public static final Comparator<Honeycomb> ROOMIEST =
            Comparator.comparing(Honeycomb::isDraining).thenComparing(Honeycomb::available, Comparator.reverseOrder());

    private final int number;
    private final ByteString uuid;
    private long boot;
    private long process;
    private long start;
    private String desktop = "";
    private String address = "";
    private HoneycombSpace space = HoneycombSpace.getDefaultInstance();
    private @Nullable Session session;

    private final UnknownReplicas unknown = new UnknownReplicas();
    private final InventorySummary summary = new InventorySummary();

    private Absence absence = Absence.NONE;
    private Attendance attendance = Attendance.UNKNOWN;

    /** Whether all replicas are to leave it, and no others to come. */
    private boolean draining;

    private boolean makingRoom;

    private Duration paused = Duration.ZERO;
    private UserActivity userActivity = UserActivity.UNKNOWN;
    private final TrafficRate traffic = new TrafficRate();
    private String program = "";

    private WakeAddresses wake = WakeAddresses.getDefaultInstance();
    private final RottenReplicas rotten = new RottenReplicas();
    private @Nullable ScrubReport scrub;

    /** By the boot clock: until then a daemon that is not connected may still let programs write. */
    private long authorityEnd;

    /** Whether other replicas take the place of those here. Follows from the absence and the end of the authority. */
    private boolean givenUp;

    /** Over which the desktop tells its inventory, once in each session. */
    private @Nullable DesktopConnection reporting;

    /** The journal's last change when it connected: what was done at it before, its inventory shows. */
    private long reportingSince;

    private UnlistedReplicas unlisted = UnlistedReplicas.NONE;

    /** Whether that inventory has come to its end. */
    private boolean inventoried;

    /** By inode of the replica. */
    final Map<Long, ConflictCopy> conflicts = new LinkedHashMap<>();

    final Map<Long, Drop> drops = new LinkedHashMap<>();

    /** Inodes whose replicas it has removed, and whose records its catalog may still have. On disk they are drops. */
    final Map<Long, Drop> forgetting = new LinkedHashMap<>();

    /**
     * Inodes whose replicas its present process was asked to remove. At most as many as it has to remove or to forget.
     */
    private final Set<Long> askedToDrop = new HashSet<>();

    final Set<Long> examinations = new LinkedHashSet<>();
    final SealQueue seals = new SealQueue();

    Honeycomb(int number, ByteString uuid) {
        this.number = number;
        this.uuid = uuid;
    }

    /** A small number that inodes refer to. */
    public int number() {
        return number;
    }

    public ByteString uuid() {
        return uuid;
    }

    /** Highest boot counter seen. */
    public long boot() {
        return boot;
    }

    /** The process that showed it. */
    public long process() {
        return process;
    }

    /** Whether a folder with these starts has had the one that was last seen here, as far as can be told. */
    boolean isOfFolder(List<FolderStart> starts) {
        boolean untold = start == 0 || starts.isEmpty() || starts.getFirst().getBoot() > boot;
        return untold || starts.stream().anyMatch(known -> known.getBoot() == boot && known.getNumber() == start);
    }

    /** Desktop that it was last seen on. */
    public String desktop() {
        return desktop;
    }

    /** Where it listens, as host:port; empty while it is not connected. */
    public String address() {
        return session == null ? "" : address;
    }

    /** Where it is, for those who want to read there. */
    public ReplicaPlace toPlace() {
        return ReplicaPlace.newBuilder()
                .setHoneycomb(uuid)
                .setAddress(address())
                .setDesktop(desktop)
                .build();
    }

    /** Whether its replica of the inode is to go. */
    public boolean isToDrop(long inode) {
        return drops.containsKey(inode);
    }

    /** Whether a replica that it has listed may be gone meanwhile, because it was asked to remove it. */
    public boolean mayHaveDropped(long inode) {
        return askedToDrop.contains(inode);
    }

    void askedToDrop(Collection<Long> inodes) {
        askedToDrop.addAll(inodes);
    }

    void settled(long inode) {
        askedToDrop.remove(inode);
    }

    /** As last reported. */
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

    public void setSpace(HoneycombSpace space) {
        this.space = space;
    }

    public void setAvailable(long available) {
        space = space.toBuilder().setAvailable(available).build();
    }

    /** The session that serves it now. */
    public @Nullable Session session() {
        return session;
    }

    /** Where it can be asked something; null while it is not connected. */
    public @Nullable DesktopConnection connection() {
        return session == null ? null : session.connection();
    }

    /** What its inventory shows that no file has. */
    public UnknownReplicas unknown() {
        return unknown;
    }

    /** Whether content of a file can be had here, as far as is known: it is there, and neither rotten nor missing. */
    public boolean isSound(long inode) {
        return isConnected() && !rotten.has(inode) && !rotten.missing().containsKey(inode);
    }

    public boolean isConnected() {
        return session != null;
    }

    /** For how long nothing is to be copied there or from there, as last reported. */
    public Duration paused() {
        return paused;
    }

    public void setPaused(Duration paused) {
        this.paused = paused;
    }

    /** Whether somebody uses its desktop, as last reported; unknown while it is not connected. */
    public UserActivity userActivity() {
        return isConnected() ? userActivity : UserActivity.UNKNOWN;
    }

    /** It is told by a program that may know of more than this one does. */
    public void setUserActivity(UserActivity told) {
        userActivity = told == UserActivity.UNRECOGNIZED ? UserActivity.UNKNOWN : told;
    }

    /** Content that other desktops read and write there now, by its heartbeats. */
    public TrafficRate traffic() {
        return traffic;
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
    public RottenReplicas rotten() {
        return rotten;
    }

    /** What its replica of a file is, in a word for people: primary, secondary or extra. */
    public String kindOf(Inode file) {
        if (file.honeycomb() == number) {
            return "primary";
        }
        return file.secondaries().isExtra(number) ? "extra" : "secondary";
    }

    /** How its replica of a file is, in a word for people: dirty, empty, rotten, missing, current or stale. */
    public String stateOf(Inode file) {
        boolean primary = file.honeycomb() == number;
        if (primary && file.dirty()) {
            return "dirty";
        }
        if (!primary && file.versionIn(number) == 0) {
            return "empty";
        }
        if (rotten.has(file.number())) {
            return "rotten";
        }
        if (primary && rotten.missing().containsKey(file.number())) {
            return "missing";
        }
        return primary || (file.secondaries().isCurrent(number) && !file.dirty()) ? "current" : "stale";
    }

    /** How far the check of its replicas is, as last reported; null before that. */
    public @Nullable ScrubReport scrub() {
        return scrub;
    }

    public void setScrub(ScrubReport scrub) {
        this.scrub = scrub;
    }

    /** What its inventory has come to so far. */
    public InventorySummary summary() {
        return summary;
    }

    public Presence presence() {
        if (isConnected()) {
            return Presence.AWAKE;
        }
        return absence.lost() ? Presence.LOST : Presence.ASLEEP;
    }

    /** How much of the last days it was there, as far as was seen. */
    public Attendance attendance() {
        return attendance;
    }

    /** For how long it has been away, as far as was seen. */
    public Duration away() {
        return absence.away();
    }

    /** Whether it is lost, and nobody can write there any more: other replicas take the place of those here. */
    public boolean isGivenUp() {
        return givenUp;
    }

    /** Whether that goes also for changes that only it has. */
    public boolean isDeclaredLost() {
        return givenUp && absence.declared();
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

    /** Replicas that it is told to remove, and has not yet, or of which its catalog may still have records. */
    public int pendingDrops() {
        return drops.size() + forgetting.size();
    }

    Absence absence() {
        return absence;
    }

    void setAbsence(Absence absence) {
        this.absence = absence;
    }

    void setAttendance(Attendance attendance) {
        this.attendance = attendance;
    }

    /** Gives it up if it is lost and its authority is over. False if nothing changes. */
    boolean giveUpWhenLost(long now) {
        boolean before = givenUp;
        givenUp = absence.lost() && now - authorityEnd > 0;
        return givenUp && !before;
    }

    /** What it should list in its inventory. */
    public UnlistedReplicas unlisted() {
        return unlisted;
    }

    public void setUnlisted(UnlistedReplicas unlisted) {
        this.unlisted = unlisted;
    }

    /** The number of the last change before it began to look at what it has. */
    public long reportingSince() {
        return reportingSince;
    }

    /** The inventory is complete. */
    public void inventoried(Instant now) {
        unlisted = UnlistedReplicas.NONE;
        summary.complete(desktop, unknown.count(), now);
        unknown.tell(desktop);
        inventoried = true;
    }

    /** Whether it has told all that it has, since it connected. */
    public boolean isInventoried() {
        return inventoried;
    }

    /** What a replica that is to become another file's content is to become; null for others. */
    public @Nullable ConflictCopy conflict(long inode) {
        return conflicts.get(inode);
    }

    /** The files that replicas become, or have become; they have no names yet. */
    public Set<Long> conflictCopies() {
        return conflicts.values().stream().map(ConflictCopy::copy).collect(Collectors.toSet());
    }

    /** Only these, and only when the inventory is complete: it may show the replica as it was before. */
    List<ConflictCopy> adoptable(int limit) {
        return inventoried ? conflicts.values().stream().limit(limit).toList() : List.of();
    }

    /** Whether anything is to be told to it, now or in a while. */
    boolean hasErrands() {
        return !conflicts.isEmpty() || !drops.isEmpty() || !examinations.isEmpty() || !seals.isEmpty();
    }

    /** To the end of the queue. */
    void postpone(Drop drop) {
        if (drops.remove(drop.inode()) != null) {
            drops.put(drop.inode(), drop);
        }
    }

    /** @param last the journal's last change */
    void connected(HoneycombOffer offer, Session by, long last) {
        drops.putAll(forgetting); // what it was told to forget may not have reached it
        forgetting.clear();
        if (process != by.process()) {
            askedToDrop.clear(); // requests end with their process
        }
        boot = offer.getBoot();
        process = by.process();
        start = offer.getStartsCount() == 0
                ? 0
                : offer.getStarts(offer.getStartsCount() - 1).getNumber();
        desktop = by.desktop();
        address = offer.getAddress();
        space = offer.getSpace();
        if (offer.hasWake()) {
            wake = offer.getWake();
        }
        absence = Absence.NONE;
        paused = Duration.ZERO;
        userActivity = UserActivity.UNKNOWN;
        traffic.stop();
        program = by.program();
        givenUp = false;
        if (session != by || !Objects.equals(reporting, by.connection())) {
            reporting = by.connection();
            reportingSince = last;
            unlisted = UnlistedReplicas.NONE;
            inventoried = false;
            unknown.begin();
        }
        session = by;
    }

    /** @param authorityEnd when its daemon certainly lets nobody write any more, by the boot clock */
    void disconnected(long authorityEnd) {
        session = null;
        this.authorityEnd = authorityEnd;
    }

    /** What has to be known of it again after a restart. */
    public HoneycombRecord toRecord() {
        return HoneycombRecord.newBuilder()
                .setUuid(uuid)
                .setBoot(boot)
                .setProcess(process)
                .setStart(start)
                .setDesktop(desktop)
                .setAwaySeconds(absence.away().toSeconds())
                .setLost(absence.lost())
                .setDeclared(absence.declared())
                .setDraining(draining)
                .setAttendance(attendance.thousandths())
                .addAllCards(wake.getCardsList())
                .addAllBroadcasts(wake.getBroadcastsList())
                .build();
    }

    /** @param authorityEnd as {@link #disconnected} has it */
    static Honeycomb of(int number, HoneycombRecord record, long authorityEnd) {
        Honeycomb honeycomb = new Honeycomb(number, record.getUuid());
        honeycomb.boot = record.getBoot();
        honeycomb.process = record.getProcess();
        honeycomb.start = record.getStart();
        honeycomb.desktop = record.getDesktop();
        honeycomb.absence =
                new Absence(Duration.ofSeconds(record.getAwaySeconds()), record.getLost(), record.getDeclared());
        honeycomb.authorityEnd = authorityEnd;
        honeycomb.draining = record.getDraining();
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
