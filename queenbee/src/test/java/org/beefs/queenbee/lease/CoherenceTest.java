package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CacheModel;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever several desktops do, and however late they answer or disappear: nobody caches what is not so any more. */
class CoherenceTest {
    private static final int STEPS = 4000;
    private static final int FEW_LEASES = 12;

    private final TestHive hive = new TestHive(new MemoryStateStore(), TestConfig.withMaxLeases(FEW_LEASES));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldNeverLetAnybodyCacheWhatIsNotSo(long seed) {
        Random random = new Random(seed);
        List<Actor> actors = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            actors.add(new Actor("desk" + i, random));
        }
        long cached = 0;
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(500) == 0) {
                hive.restart();
                actors.forEach(actor -> actor.connected = false);
            }
            hive.advance(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(400) : 0));
            actors.get(random.nextInt(actors.size())).act();
            for (Actor actor : actors) {
                actor.cache.check(actor.name, hive.queenBee().state().namespace());
                cached += actor.cache.size();
            }
            assertThat(hive.fatal()).isEmpty();
        }
        assertThat(cached / STEPS).as("things cached on average").isGreaterThan(10);
        assertThat(hive.queenBee().state().namespace().size()).isGreaterThan(3);
        actors.forEach(actor -> actor.hold(false));
        hive.advance(Duration.ofSeconds(10));
        actors.forEach(Actor::checkAnswered);
        assertThat(hive.queenBee().state().leases().recalls().waiting()).isZero();
    }

    /** A desktop's daemon, its cache, and what it does. */
    private final class Actor {
        private final String name;
        private final Random random;
        private final TestDesktop desktop;
        private final CacheModel cache = new CacheModel(hive.time());
        private final List<Long> inodes = new ArrayList<>(List.of(Namespace.ROOT));
        private final List<CompletableFuture<QueenReply>> asked = new ArrayList<>();
        private boolean connected;
        private boolean holding;
        private long registration;

        Actor(String name, Random random) {
            this.name = name;
            this.random = random;
            desktop = new TestDesktop(hive, name);
            desktop.setRecallListener(cache::recalled);
            register();
        }

        void act() {
            if (desktop.isClosed()) {
                connected = false;
            }
            int choice = random.nextInt(100);
            if (!connected) {
                if (choice < 30) {
                    register();
                }
            } else if (choice == 0) {
                desktop.disconnect();
                connected = false;
            } else if (choice == 1) {
                register();
            } else if (choice < 8) {
                hold(!holding);
            } else if (choice < 20) {
                desktop.letGoOnce();
            } else if (choice < 30) {
                ask(QueenRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
            } else if (choice < 65) {
                ask(read());
            } else {
                ask(change());
            }
        }

        /** Whatever was asked over the connection that still stands. */
        void checkAnswered() {
            if (connected && !desktop.isClosed()) {
                assertThat(asked).allMatch(CompletableFuture::isDone);
            }
        }

        void hold(boolean hold) {
            holding = hold;
            if (hold) {
                desktop.holdOn();
            } else {
                desktop.letGo();
            }
        }

        private void register() {
            cache.forget();
            asked.clear();
            Register.Builder register = desktop.register().setNumber(++registration);
            desktop.register(register);
            connected = true;
        }

        private void ask(QueenRequest.Builder builder) {
            QueenRequest request = desktop.numbered(builder);
            long sent = hive.time().bootNanos();
            long during = registration;
            CompletableFuture<QueenReply> reply = hive.submit(request, desktop);
            asked.add(reply);
            reply.whenComplete((answer, failure) -> {
                // What comes over a connection that was left is not read.
                if (failure == null && connected && registration == during) {
                    cache.answered(request, answer, sent);
                    if (answer.hasNode()) {
                        inodes.add(answer.getNode().getAttributes().getInode());
                        closeFile(request, answer.getNode().getAttributes().getInode());
                    }
                }
            });
            hive.run();
        }

        /** Ends what a create has opened, perhaps with something written. */
        private void closeFile(QueenRequest request, long inode) {
            long handle = request.hasCreate()
                    ? request.getCreate().getHandle()
                    : request.getOpen().getHandle();
            if (handle == 0) {
                return;
            }
            ReplicaStatus status = ReplicaStatus.newBuilder()
                    .setInode(inode)
                    .setExists(true)
                    .setSize(random.nextInt(1000))
                    .setObservation(hive.time().bootNanos() + handle)
                    .build();
            QueenRequest release = desktop.numbered(Ask.release(inode, handle, status));
            long sent = hive.time().bootNanos();
            long during = registration;
            hive.submit(release, desktop).whenComplete((answer, failure) -> {
                if (failure == null && connected && registration == during) {
                    cache.answered(release, answer, sent);
                }
            });
        }

        private QueenRequest.Builder read() {
            QueenRequest.Builder list = Ask.list(inode(), 0, 1000);
            list.getListDirectoryBuilder().setWithNodes(random.nextBoolean());
            return switch (random.nextInt(3)) {
                case 0 -> Ask.lookup(inode(), name());
                case 1 -> Ask.attributes(inode());
                default -> list;
            };
        }

        private QueenRequest.Builder change() {
            return switch (random.nextInt(12)) {
                case 0, 1 -> Ask.mkdir(inode(), name(), 0755);
                case 2 -> Ask.mknod(inode(), name(), 0100644);
                case 3 -> Ask.create(inode(), name(), 0644, desktop.newHandle());
                case 4 -> Ask.open(inode(), desktop.newHandle(), true, true);
                case 5 -> Ask.link(inode(), inode(), name());
                case 6 -> Ask.unlink(inode(), name());
                case 7 -> Ask.rmdir(inode(), name());
                case 8 -> Ask.rename(inode(), name(), inode(), name());
                case 9 -> Ask.exchange(inode(), name(), inode(), name());
                case 10 -> Ask.chmod(inode(), 0700 | random.nextInt(0100));
                default -> Ask.setXattr(inode(), "user.a", "" + random.nextInt());
            };
        }

        private long inode() {
            int recent = Math.min(inodes.size(), 6);
            return random.nextInt(3) == 0 ? Namespace.ROOT : inodes.get(inodes.size() - 1 - random.nextInt(recent));
        }

        private String name() {
            return "n" + random.nextInt(5);
        }
    }
}
