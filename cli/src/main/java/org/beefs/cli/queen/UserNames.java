package org.beefs.cli.queen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The names that this machine has for users, wherever it has them from (getent(1)). Not thread-safe. */
final class UserNames {
    /** A directory of users that does not answer is not waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Map<String, Optional<String>> known = new HashMap<>();

    /** The name of a user's number; empty when this machine has none for it. Asked for once. */
    Optional<String> of(String user) {
        boolean number = !user.isEmpty() && user.chars().allMatch(character -> character >= '0' && character <= '9');
        return number ? known.computeIfAbsent(user, UserNames::ask) : Optional.empty();
    }

    private static Optional<String> ask(String number) {
        try {
            Process getent = new ProcessBuilder("getent", "passwd", number)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!getent.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                getent.destroyForcibly();
                return Optional.empty();
            }
            String line = new String(getent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = line.indexOf(':');
            return end > 0 ? Optional.of(line.substring(0, end)) : Optional.empty();
        } catch (IOException e) { // there is no getent
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
