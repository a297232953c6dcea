package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** A directory that has been there is delegated to whoever changes names in it, while nobody else knows of it. */
class ChangedDirectoryTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop changer = new TestDesktop(hive, "changer");
    private final TestDesktop other = new TestDesktop(hive, "other");
    private final Decided decided = Decided.register(changer);
    private final long directory;

    ChangedDirectoryTest() {
        other.registered();
        directory =
                other.ok(Ask.mkdir(ROOT, "d", 0755)).getNode().getAttributes().getInode();
        other.registered();
    }

    @Test
    void shouldBeDelegatedToWhoMakesANameInIt() {
        assertThat(delegatedBy(create("f"))).containsExactly(directory);
    }

    @Test
    void shouldBeDelegatedToWhoRemovesOrMovesANameInIt() {
        create("f");
        create("g");
        changer.registered();

        assertThat(delegatedBy(changer.ok(Ask.unlink(directory, "f")))).containsExactly(directory);
        changer.registered();
        assertThat(delegatedBy(changer.ok(Ask.rename(directory, "g", ROOT, "g"))))
                .containsExactlyInAnyOrder(directory, ROOT);
    }

    @Test
    void shouldNotBeDelegatedToWhoChangesOnlyItself() {
        assertThat(delegatedBy(changer.ok(Ask.chmod(directory, 0700)))).isEmpty();
        assertThat(delegatedBy(changer.ok(Ask.setXattr(directory, "user.a", "b"))))
                .isEmpty();
    }

    @Test
    void shouldHaveWhatIsMadeInItNextDelegatedToo() {
        create("f");

        assertThat(create("g").getNode().getDelegated()).isTrue();
    }

    @Test
    void shouldNotBeDelegatedWhileOthersKnowItsNames() {
        other.ok(Ask.list(directory, 0, 10));

        assertThat(delegatedBy(create("f"))).isEmpty();
    }

    @Test
    void shouldBeDelegatedWhenOthersHaveLetGo() {
        other.ok(Ask.attributes(directory));

        assertThat(delegatedBy(create("f"))).containsExactly(directory);
    }

    @Test
    void shouldBeRecalledWhenOthersLook() {
        create("f");

        other.ok(Ask.lookup(directory, "f"));

        assertThat(changer.recalls()).flatMap(recall -> recall.getInodesList()).contains(directory);
    }

    @Test
    void shouldNotBeDelegatedAgainForAMinuteAfterItWasRecalled() {
        create("f");
        other.ok(Ask.attributes(directory));

        assertThat(delegatedBy(create("g"))).isEmpty();
        hive.advance(List.of(changer, other), Duration.ofSeconds(55));
        assertThat(delegatedBy(create("h"))).isEmpty();
        hive.advance(List.of(changer, other), Duration.ofSeconds(10));
        assertThat(delegatedBy(create("i"))).containsExactly(directory);
    }

    @Test
    void shouldNotBeDelegatedWithSettingsOfItsOwn() {
        changer.ok(Ask.setXattr(directory, "beefs.replicas", "2"));

        assertThat(delegatedBy(create("f"))).isEmpty();
    }

    @Test
    void shouldTakeWhatWasDecidedInIt() {
        create("f");
        long made = decided.number();

        changer.ok(decided.create(directory, "new", made, 9));

        assertThat(other.ok(Ask.lookup(directory, "new"))
                        .getNode()
                        .getAttributes()
                        .getInode())
                .isEqualTo(made);
    }

    private QueenReply create(String name) {
        return changer.ok(Ask.create(directory, name, 0644, changer.newHandle()));
    }

    private static List<Long> delegatedBy(QueenReply reply) {
        return reply.getTouchedList().stream()
                .filter(Node::getDelegated)
                .map(node -> node.getAttributes().getInode())
                .toList();
    }
}
