package org.beefs.cli.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.UserActivity;
import org.beefs.honeycomb.pace.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks systemd-logind now and then whether somebody uses this machine. Its signals would not do: they tell when a
 * graphical session becomes idle, and neither when one begins or ends, nor of terminals. Thread-safe.
 */
@ProductionOnly
final class LogindUser implements User, AutoCloseable {
    /**
     * So late a user is noticed who comes back; meanwhile there is the pressure. A question costs some 10 ms of a
     * processor.
     */
    private static final Duration PERIOD = Duration.ofSeconds(20);

    private static final List<String> QUESTION = List.of(
            "gdbus",
            "call",
            "--system",
            "--dest",
            "org.freedesktop.login1",
            "--object-path",
            "/org/freedesktop/login1",
            "--method",
            "org.freedesktop.DBus.Properties.Get",
            "org.freedesktop.login1.Manager",
            "IdleHint");

    private static final Logger LOG = LoggerFactory.getLogger(LogindUser.class);

    private final List<String> question;
    private final Duration period;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile UserActivity activity = UserActivity.UNKNOWN;

    private LogindUser(List<String> question, Duration period) {
        this.question = question;
        this.period = period;
    }

    /** Begins to ask, if there is a system bus at all. */
    static LogindUser start() {
        if (Files.exists(SleepWatch.SYSTEM_BUS)) {
            return start(QUESTION, PERIOD);
        }
        LOG.debug("there is no system bus: nobody tells whether this machine is used");
        return new LogindUser(QUESTION, PERIOD);
    }

    /**
     * Begins to ask another program.
     *
     * @param period between two questions; also how long an answer is waited for
     */
    static LogindUser start(List<String> question, Duration period) {
        LogindUser user = new LogindUser(question, period);
        Thread.ofPlatform().daemon().name("beefs-user").start(user::run);
        return user;
    }

    private void run() {
        try {
            do {
                activity = meaning(answer());
            } while (!closed.await(period.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty if there is none in time. */
    private String answer() throws InterruptedException {
        try {
            Process program =
                    new ProcessBuilder(question).redirectError(Redirect.DISCARD).start();
            if (program.waitFor(period.toMillis(), TimeUnit.MILLISECONDS)) {
                return new String(program.getInputStream().readAllBytes(), UTF_8);
            }
            program.destroyForcibly();
        } catch (IOException e) {
            LOG.debug("logind cannot be asked whether this machine is used: {}", e.getMessage());
        }
        return "";
    }

    /** As gdbus prints it. */
    private static UserActivity meaning(String answer) {
        return switch (answer.strip()) {
            case "(<true>,)" -> UserActivity.IDLE;
            case "(<false>,)" -> UserActivity.ACTIVE;
            default -> UserActivity.UNKNOWN;
        };
    }

    @Override
    public UserActivity activity() {
        return activity;
    }

    /** A question that is under way ends by itself. */
    @Override
    public void close() {
        closed.countDown();
    }
}
