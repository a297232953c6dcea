package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decided changes that come once more, when others may have gone on. */
class RepeatedDecisionsTest extends DecidingDesktopTest {
    /** Each of a file and a directory that are there, as it is made once and again. */
    static Stream<BiFunction<RepeatedDecisionsTest, Long, QueenRequest.Builder>> kinds() {
        return Stream.of(
                (test, spare) -> test.decided.create(test.directory, "new", spare, 7),
                (test, spare) -> Decided.mkdir(test.directory, "new", spare),
                (test, spare) -> Decided.unlink(test.directory, "f", test.named("f")),
                (test, spare) -> Decided.rmdir(test.directory, "e", test.named("e")),
                (test, spare) -> Decided.rename(test.directory, "f", "h", test.named("f"), 0),
                (test, spare) -> Decided.chmod(test.named("e"), 0700),
                (test, spare) -> Decided.chmod(test.named("f"), 0600));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNotBeHarmedByWhatIsMadeTwice(BiFunction<RepeatedDecisionsTest, Long, QueenRequest.Builder> kind) {
        maker.ok(decided.create(directory, "f", decided.number(), 1));
        maker.ok(Decided.mkdir(directory, "e", decided.number()));
        QueenRequest change = kind.apply(this, decided.number()).build();
        maker.ok(change.toBuilder());
        List<String> once = contents();

        QueenReply again = maker.send(maker.numbered(change.toBuilder()));

        assertThat(again.hasFailure()).as("%s", again).isFalse();
        assertThat(contents()).isEqualTo(once);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNotBeHarmedByWhatIsMadeAgainInAnotherSession(
            BiFunction<RepeatedDecisionsTest, Long, QueenRequest.Builder> kind) {
        maker.ok(decided.create(directory, "f", decided.number(), 1));
        maker.ok(Decided.mkdir(directory, "e", decided.number()));
        QueenRequest change = kind.apply(this, decided.number()).build();
        maker.ok(change.toBuilder());
        List<String> once = contents();
        long before = maker.session();

        hive.advance(List.of(other), LEASE);
        maker.register(maker.register().addDecided(change));
        assertThat(maker.session()).isNotEqualTo(before);
        assertThat(contents()).isEqualTo(once);
        QueenReply again = maker.send(maker.numbered(change.toBuilder()));

        assertThat(again.hasFailure()).as("%s", again).isFalse();
        assertThat(contents()).isEqualTo(once);
    }

    @Test
    void shouldNotUndoWhatAnotherHasChangedSinceItWasMade() {
        long made = inode(maker.ok(Decided.mkdir(directory, "e", decided.number())));
        QueenRequest change = Decided.chmod(made, 0700).build();
        hive.advance(List.of(other), LEASE);
        maker.register(maker.register().addDecided(change));
        other.ok(Ask.chmod(made, 0711));

        maker.send(maker.numbered(change.toBuilder()));

        assertThat(hive.inode(made).mode() & 07777)
                .as("it was brought with the registration, so that it is made already")
                .isEqualTo(0711);
    }

    @Test
    void shouldNotBringBackAFileThatAnotherHasRemovedSinceItWasMade() {
        long number = decided.number();
        QueenRequest change = decided.create(directory, "f", number, 1).build();
        maker.ok(change.toBuilder());
        hive.advance(List.of(other), LEASE);
        other.ok(Ask.unlink(directory, "f"));
        maker.registered();

        maker.send(maker.numbered(change.toBuilder()));

        assertThat(hive.queenBee().state().namespace().find(number))
                .as("a number whose replica was dropped is not used again")
                .isNull();
        assertThat(other.fails(Ask.lookup(directory, "f"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldNotBringBackWhatAnotherHasRemovedBeforeSheWasStartedAgain() {
        long file = decided.number();
        long folder = decided.number();
        QueenRequest create = decided.create(directory, "f", file, 1).build();
        QueenRequest make = Decided.mkdir(directory, "e", folder).build();
        maker.ok(create.toBuilder());
        maker.ok(make.toBuilder());
        hive.advance(List.of(other), LEASE);
        other.ok(Ask.unlink(directory, "f"));
        other.ok(Ask.rmdir(directory, "e"));
        hive.restart();
        other.registered();
        TestDesktop next = new TestDesktop(hive, "maker", 2, 2);

        next.register(next.register().addDecided(create).addDecided(make));

        assertThat(names(directory)).isEmpty();
        assertThat(hive.queenBee().state().namespace().find(file))
                .as("a number whose replica was dropped is not used again")
                .isNull();
    }

    @Test
    void shouldNotBringBackADirectoryThatAnotherHasRemovedSinceItWasMade() {
        long number = decided.number();
        QueenRequest change = Decided.mkdir(directory, "e", number).build();
        maker.ok(change.toBuilder());
        hive.advance(List.of(other), LEASE);
        other.ok(Ask.rmdir(directory, "e"));

        maker.register(maker.register().addDecided(change));

        assertThat(names(directory)).isEmpty();
    }

    @Test
    void shouldNotBringBackWhatTheDesktopItselfHasRemoved() {
        long number = decided.number();
        QueenRequest change = Decided.mkdir(directory, "e", number).build();
        maker.ok(change.toBuilder());
        QueenRequest removal = Decided.rmdir(directory, "e", number).build();
        maker.ok(removal.toBuilder());
        hive.advance(List.of(other), LEASE);

        maker.register(maker.register().addDecided(change).addDecided(removal));
        maker.send(maker.numbered(change.toBuilder()));
        assertThat(names(directory)).as("others would see it for a while").isEmpty();
        maker.send(maker.numbered(removal.toBuilder()));

        assertThat(names(directory)).isEmpty();
    }

    private long named(String name) {
        return Objects.requireNonNull(hive.names(directory).get(name));
    }
}
