package org.beefs.honeybee.jnr;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.provider.LoadedLibrary;
import org.junit.jupiter.api.Test;

class SessionLoopTest {
    private static final int REQUESTS = 20_000;
    private static final int AT_A_TIME = 4;

    private final Semaphore requests = new Semaphore(AT_A_TIME);
    private final Semaphore served = new Semaphore(0);
    private volatile boolean gone;

    /** More threads than may wait are there each time that several requests have come at once. */
    @Test
    void shouldServeUntilTheMountIsGoneHoweverManyThreadsLeave() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            SessionLoop loop = loop(arena, Thread.ofPlatform().daemon().factory());
            loop.ended().thenRun(() -> served.release(REQUESTS)); // nobody will
            loop.start();

            assertThat(served.tryAcquire(REQUESTS, 2, TimeUnit.MINUTES)).isTrue();

            assertThat(loop.ended()).isNotDone();
            gone = true;
            requests.release(SessionLoop.MAX_THREADS);
            loop.ended().get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void shouldServeAllRequestsWhereNoThreadCanBeHadForAWhile() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (Arena arena = Arena.ofShared()) {
            SessionLoop loop = loop(arena, work -> {
                if (asked.incrementAndGet() == 2) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return Thread.ofPlatform().daemon().unstarted(work);
            });
            loop.start();

            assertThat(served.tryAcquire(REQUESTS, 2, TimeUnit.MINUTES)).isTrue();

            assertThat(asked).hasValueGreaterThan(2);
            gone = true;
            requests.release(SessionLoop.MAX_THREADS);
            loop.ended().get(1, TimeUnit.MINUTES);
        }
    }

    private SessionLoop loop(Arena arena, ThreadFactory threads) {
        LibFuse2 library = (LibFuse2) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LibFuse2.class, LoadedLibrary.class}, this::call);
        Pointer some =
                Pointer.wrap(Runtime.getSystemRuntime(), arena.allocate(8).address());
        return new SessionLoop(library, some, some, new LibFuseRequest(), 1, threads);
    }

    private Object call(Object library, Method method, Object[] arguments) throws InterruptedException {
        return switch (method.getName()) {
            case "getRuntime" -> Runtime.getSystemRuntime();
            case "fuse_chan_bufsize" -> 64L;
            case "fuse_chan_recv" -> received();
            case "fuse_session_process" -> process();
            default -> throw new AssertionError(method);
        };
    }

    private int received() throws InterruptedException {
        requests.acquire();
        return gone ? 0 : 1;
    }

    private Object process() {
        requests.release();
        served.release();
        return 0;
    }
}
