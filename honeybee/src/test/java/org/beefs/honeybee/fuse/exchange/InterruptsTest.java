package org.beefs.honeybee.fuse.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.beefs.honeybee.mount.Callers;
import org.beefs.honeybee.mount.Callers.State;
import org.beefs.honeybee.mount.Opcode;
import org.beefs.honeybee.mount.RequestMeter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptsTest {
    private static final int PID = 42;

    /** Says of threads what the test wants. */
    private static final class KnownCallers implements Callers {
        @Override
        public boolean isExiting(int pid) {
            return false;
        }

        final Map<Integer, State> states = new HashMap<>();

        @Override
        public Credentials credentials(int uid, int gid, int pid) {
            return Credentials.getDefaultInstance();
        }

        @Override
        public State state(int pid) {
            return states.getOrDefault(pid, State.ALIVE);
        }
    }

    /** Runs tasks when the test says so. */
    private static final class ManualTimers implements Timers {
        final List<Runnable> tasks = new ArrayList<>();

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            assertThat(delay).isEqualTo(Duration.ofMillis(250));
            tasks.add(task);
            return () -> tasks.remove(task);
        }

        void runAll() {
            List<Runnable> due = List.copyOf(tasks);
            tasks.clear();
            due.forEach(Runnable::run);
        }
    }

    @TempDir
    Path folder;

    private final KnownCallers callers = new KnownCallers();
    private final ManualTimers timers = new ManualTimers();
    private final Interrupts interrupts = new Interrupts(callers, timers);
    private final Connection connection = new Connection(callers, interrupts, new RequestMeter());
    private final CompletableFuture<String> operation = new CompletableFuture<>();
    private Path answers = Path.of("");
    private Device device = new Device(-1);

    @BeforeEach
    void openFileInsteadOfDevice() throws IOException {
        answers = Files.createFile(folder.resolve("answers"));
        try (Arena arena = Arena.ofConfined()) {
            device = new Device(Libc.open(arena.allocateFrom(answers.toString()), 1, 0));
        }
    }

    @Test
    void shouldNotAbortForASignalThatDoesNotKill() throws IOException {
        request(7).answer(operation, (reply, value) -> reply.empty());

        interrupts.interrupted(7);
        timers.runAll();
        operation.complete("done");
        timers.runAll();

        assertThat(answered()).containsExactly(0);
        assertThat(timers.tasks).isEmpty();
        assertThat(interrupts.inFlight()).isZero();
    }

    @Test
    void shouldAnswerEintrOnceTheCallerIsBeingKilled() throws IOException {
        request(7).answer(operation, (reply, value) -> reply.empty());
        interrupts.interrupted(7);

        callers.states.put(PID, State.BEING_KILLED);
        timers.runAll();

        assertThat(answered()).containsExactly(-Errno.EINTR.number());
        assertThat(operation).isCancelled();
        assertThat(timers.tasks).isEmpty();
        assertThat(interrupts.inFlight()).isZero();
    }

    @Test
    void shouldAnswerEintrAtOnceWhenTheCallerIsGone() throws IOException {
        callers.states.put(PID, State.GONE);
        request(7).answer(operation, (reply, value) -> reply.empty());

        interrupts.interrupted(7);

        assertThat(answered()).containsExactly(-Errno.EINTR.number());
    }

    /** Whether it is being killed cannot be found out: it would hang for as long as the operation does. */
    @Test
    void shouldGiveUpACallerOutsideOfTheContainerSoonAfterASignal() throws IOException {
        request(7, 0).answer(operation, (reply, value) -> reply.empty());

        interrupts.interrupted(7);
        assertThat(answered())
                .as("it may be any signal, and the answer on its way")
                .isEmpty();
        timers.runAll();

        assertThat(answered()).containsExactly(-Errno.EINTR.number());
    }

    @Test
    void shouldRememberAnInterruptThatComesBeforeItsRequest() throws IOException {
        callers.states.put(PID, State.BEING_KILLED);

        interrupts.interrupted(7);
        request(7).answer(operation, (reply, value) -> reply.empty());

        assertThat(answered()).containsExactly(-Errno.EINTR.number());
    }

    @Test
    void shouldRememberABoundedNumberOfInterrupts() throws IOException {
        callers.states.put(PID, State.BEING_KILLED);
        for (int unique = 1000; unique < 2000; unique++) {
            interrupts.interrupted(unique);
        }

        request(1000).answer(operation, (reply, value) -> reply.empty());

        assertThat(answered()).isEmpty();
    }

    @Test
    void shouldGiveBackWhatComesTooLate() {
        List<String> undelivered = new ArrayList<>();
        callers.states.put(PID, State.BEING_KILLED);
        request(7).answer(operation, new Answer<String>() {
            @Override
            public boolean send(Reply reply, String value) {
                return reply.empty();
            }

            @Override
            public void undelivered(String value) {
                undelivered.add(value);
            }

            @Override
            public boolean isCancellable() {
                return false;
            }
        });

        interrupts.interrupted(7);
        operation.complete("a handle");

        assertThat(undelivered).containsExactly("a handle");
    }

    @Test
    void shouldAskAWaitForALockToEndForAnySignal() throws IOException {
        List<String> asked = new ArrayList<>();
        request(7).answer(operation, (reply, value) -> reply.empty(), () -> asked.add("end"));

        interrupts.interrupted(7);
        assertThat(asked).containsExactly("end");
        assertThat(answered()).as("it may have the lock by now").isEmpty();

        operation.complete("locked");
        timers.runAll();
        assertThat(answered()).containsExactly(0);
    }

    /** Who is told EINTR has his former lock; one that is given back afterwards would take that along. */
    @Test
    void shouldDeliverALockThatIsGrantedWhileItsWaitIsGivenUp() throws IOException {
        List<String> undelivered = new ArrayList<>();
        request(7)
                .answer(
                        operation,
                        new Answer<>() {
                            @Override
                            public boolean send(Reply reply, String value) {
                                return reply.empty();
                            }

                            @Override
                            public void undelivered(String value) {
                                undelivered.add(value);
                            }
                        },
                        () -> {});
        operation.whenComplete((_, _) -> interrupts.abandonAll()); // runs before what was said to run earlier

        operation.complete("locked");

        assertThat(answered()).containsExactly(0);
        assertThat(undelivered).isEmpty();
    }

    @Test
    void shouldAnswerEintrWhenAWaitForALockDoesNotEndSoon() throws IOException {
        request(7).answer(operation, (reply, value) -> reply.empty(), () -> {});

        interrupts.interrupted(7);
        timers.runAll();

        assertThat(answered()).containsExactly(-Errno.EINTR.number());
    }

    @Test
    void shouldAskAWaitForALockToEndWhenTheMountIsGone() {
        List<String> asked = new ArrayList<>();
        request(7).answer(operation, (reply, value) -> reply.empty(), () -> asked.add("end"));

        interrupts.abandonAll();

        assertThat(asked).containsExactly("end");
    }

    @Test
    void shouldSweepOnlyThoseBeingKilled() throws IOException {
        request(7).answer(operation, (reply, value) -> reply.empty());

        interrupts.sweep();
        callers.states.put(PID, State.GONE);
        interrupts.sweep();
        assertThat(answered()).isEmpty();

        callers.states.put(PID, State.BEING_KILLED);
        interrupts.sweep();
        assertThat(answered()).containsExactly(-Errno.EINTR.number());
    }

    @Test
    void shouldAbandonEverythingWhenTheMountIsGone() {
        request(7).answer(operation, (reply, value) -> reply.empty());

        interrupts.abandonAll();

        assertThat(operation).isCancelled();
        assertThat(interrupts.inFlight()).isZero();
    }

    private Exchange request(long unique) {
        return request(unique, PID);
    }

    private Exchange request(long unique, int pid) {
        MemorySegment memory = Arena.ofAuto().allocate(64, 8);
        memory.set(JAVA_INT, 4, Opcode.LOOKUP.number());
        memory.set(JAVA_LONG, 8, unique);
        memory.set(JAVA_INT, 32, pid);
        return new Exchange(connection, device, new RequestBuffer(memory, false));
    }

    /** The error field of each answer so far. */
    private List<Integer> answered() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(answers)).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> errors = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += bytes.getInt(at)) {
            errors.add(bytes.getInt(at + 4));
        }
        return errors;
    }
}
