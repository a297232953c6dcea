package org.beefs.queenbee.measurement;

import com.google.protobuf.ByteString;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.common.wire.RecordsState;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.recovery.RecordSource;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.state.LinkRecord;

/**
 * A catalog of a hive with many files, made page by page as it is asked for. Every 25th inode is a directory, of which
 * three honeycombs know; of each file its own does.
 */
record GeneratedRecords(int number, int honeycombs, long inodes) implements RecordSource {
    private static final int FILES_IN_DIRECTORY = 25;
    private static final int COPIES = 3;
    private static final int PAGE_BYTES = 1 << 20;
    private static final long BASE = 1L << 40;
    private static final ByteString HIVE = ByteString.copyFromUtf8("sixteen bytes id");

    @Override
    public String name() {
        return "honeycomb " + number;
    }

    @Override
    public CompletableFuture<RecordPage> page(long from) {
        return CompletableFuture.supplyAsync(() -> make(from));
    }

    private RecordPage make(long from) {
        RecordPage.Builder page = RecordPage.newBuilder()
                .setHoneycomb(uuid(number))
                .setState(RecordsState.newBuilder().setHive(HIVE).setComplete(BASE + inodes));
        int bytes = 0;
        if (from == 0) {
            page.setAll(inodes / honeycombs + inodes / FILES_IN_DIRECTORY * COPIES / honeycombs);
            page.addRecords(record(0, hive().toByteString()));
        }
        if (from <= 1) {
            page.addRecords(record(1, directory(1, 0)));
        }
        for (long index = Math.max(0, from - BASE); index < inodes && bytes < PAGE_BYTES; index++) {
            if (isHere(index)) {
                ByteString content = content(index);
                bytes += content.size();
                page.addRecords(record(BASE + index, content));
            }
        }
        return page.build();
    }

    private boolean isHere(long index) {
        int place = (int) (index % honeycombs);
        int copies = isDirectory(index) ? COPIES : 1;
        return Math.floorMod(number - place, honeycombs) < copies;
    }

    private static boolean isDirectory(long index) {
        return index % FILES_IN_DIRECTORY == 0;
    }

    private ByteString content(long index) {
        if (isDirectory(index)) {
            long above = index / FILES_IN_DIRECTORY / 10;
            return directory(BASE + index, index == 0 ? 1 : BASE + above / FILES_IN_DIRECTORY * FILES_IN_DIRECTORY);
        }
        SplittableRandom random = new SplittableRandom(index);
        InodeRecord inode = InodeRecord.newBuilder()
                .setMode(FileMode.REGULAR | 0644)
                .setLinks(1)
                .setUid(1000)
                .setGid(1000)
                .setSize(random.nextInt(1 << 24))
                .setBlocks(random.nextInt(1 << 15))
                .setAtime(random.nextLong())
                .setMtime(random.nextLong())
                .setCtime(random.nextLong())
                .setBtime(random.nextLong())
                .setHoneycomb(1 + (int) (index % honeycombs))
                .setEpoch(BASE)
                .setVersion(BASE + 1)
                .setCommittedMtime(random.nextLong())
                .setChanged(BASE + index)
                .build();
        long parent = BASE + index / FILES_IN_DIRECTORY * FILES_IN_DIRECTORY;
        return inode(inode, parent, "Report %d of %04x.odt".formatted(index, random.nextInt(1 << 16)), index);
    }

    private static ByteString directory(long number, long parent) {
        InodeRecord inode = InodeRecord.newBuilder()
                .setMode(FileMode.DIRECTORY | 0755)
                .setLinks(2)
                .setSize(4096)
                .setBlocks(8)
                .setNextCookie(BASE)
                .setChanged(number)
                .build();
        return parent == 0
                ? CatalogInode.newBuilder().setInode(inode).build().toByteString()
                : inode(inode, parent, "Project " + number, number - BASE);
    }

    private static ByteString inode(InodeRecord inode, long parent, String name, long index) {
        return CatalogInode.newBuilder()
                .setInode(inode)
                .addLinks(LinkRecord.newBuilder()
                        .setParent(parent)
                        .setName(ByteString.copyFromUtf8(name))
                        .setCookie(index + 3))
                .build()
                .toByteString();
    }

    private CatalogHive hive() {
        CatalogHive.Builder hive = CatalogHive.newBuilder()
                .setFormat(QueenState.FORMAT)
                .setHive(HIVE)
                .setIncarnation(1);
        for (int i = 0; i < honeycombs; i++) {
            hive.addHoneycombs(
                    HoneycombRecord.newBuilder().setUuid(uuid(i)).setBoot(1).setDesktop("desk" + i));
        }
        return hive.build();
    }

    private static Record record(long inode, ByteString content) {
        return Record.newBuilder()
                .setInode(inode)
                .setSequence(BASE + 1)
                .setContent(content)
                .build();
    }

    private static ByteString uuid(int number) {
        return ByteString.copyFromUtf8("honeycomb %06d".formatted(number));
    }
}
