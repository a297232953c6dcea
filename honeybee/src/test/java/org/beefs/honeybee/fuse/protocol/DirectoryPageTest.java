package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.Entry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DirectoryPageTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(512, 8);

    @Test
    void shouldPackAlignedEntriesUpToTheEnd() {
        DirectoryPage page = new DirectoryPage(memory.asSlice(0, 100), false);

        assertThat(page.addSelf(5, 1)).isTrue();
        assertThat(page.add(entry("nine-char", 7, null), 0, 0)).isTrue();
        assertThat(page.length()).isEqualTo(32 + 40);
        assertThat(page.add(entry("nine-char", 8, null), 0, 0)).isFalse();
        assertThat(page.length()).isEqualTo(32 + 40);

        assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(5);
        assertThat(memory.get(JAVA_LONG, 8)).isEqualTo(1);
        assertThat(memory.get(JAVA_LONG, 32)).isEqualTo(7);
        assertThat(memory.get(JAVA_LONG, 40)).isEqualTo(77);
        assertThat(memory.get(JAVA_INT, 48)).isEqualTo(9);
        assertThat(memory.get(JAVA_INT, 52)).isEqualTo(010);
    }

    @Test
    void shouldGiveNodesOnlyToEntriesWithAttributes() {
        DirectoryPage page = new DirectoryPage(memory, true);

        page.addParent(5, 2);
        page.add(entry("name", 7, Attributes.newBuilder().setInode(7).build()), 0, 0);

        assertThat(memory.get(JAVA_LONG, 0)).isZero();
        assertThat(memory.get(JAVA_LONG, 128)).isEqualTo(5);
        assertThat(memory.get(JAVA_LONG, 160)).isEqualTo(7);
        assertThat(memory.get(JAVA_LONG, 160 + 128)).isEqualTo(7);
    }

    @Test
    void shouldSayHowLongEntriesAndAttributesMayBeKept() {
        DirectoryPage page = new DirectoryPage(memory, true);

        page.add(entry("name", 7, Attributes.newBuilder().setInode(7).build()), 1_500_000_000L, 2_000_000_003L);

        assertThat(memory.get(JAVA_LONG, 16)).isEqualTo(1);
        assertThat(memory.get(JAVA_LONG, 24)).isEqualTo(2);
        assertThat(memory.get(JAVA_INT, 32)).isEqualTo(500_000_000);
        assertThat(memory.get(JAVA_INT, 36)).isEqualTo(3);
    }

    private static Entry entry(String name, long inode, @Nullable Attributes attributes) {
        return new Entry(ByteString.copyFromUtf8(name), inode, FileMode.REGULAR, 77, attributes);
    }
}
