package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.jspecify.annotations.Nullable;

/** What tests of a leased directory share: its names and pages, as they are answered from the cache. */
abstract class LeasedDirectoryTest extends CacheTest {
    static QueenRequest rename(String from, String to) {
        return QueenRequest.newBuilder()
                .setRename(Rename.newBuilder()
                        .setOldParent(DIRECTORY)
                        .setOldName(name(from))
                        .setNewParent(DIRECTORY)
                        .setNewName(name(to)))
                .build();
    }

    /** The inode of a name; null when it is not known. */
    @Nullable
    Long find(String name) {
        return find(DIRECTORY, name);
    }

    @Nullable
    Long find(long directory, String name) {
        CompletableFuture<Node> node = cache.lookup(ROOT, directory, name(name));
        return node == null ? null : node.join().getAttributes().getInode();
    }

    void assertAbsent(String name) {
        assertFails(Errno.ENOENT, () -> find(name));
    }

    static void assertFails(Errno errno, Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(errno));
    }

    @Nullable
    DirectoryPage cachedPage(long after, int limit) {
        return cache.page(DIRECTORY, after, limit, true);
    }

    DirectoryPage pageAfter(long after, int limit) {
        DirectoryPage page = cachedPage(after, limit);
        assertThat(page).isNotNull();
        return page == null ? DirectoryPage.getDefaultInstance() : page;
    }

    static List<Long> inodes(DirectoryPage page) {
        return page.getEntriesList().stream().map(DirectoryEntry::getInode).toList();
    }
}
