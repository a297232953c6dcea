package org.beefs.cli.queen;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.beefs.queenbee.console.model.client.ActivityView;
import org.beefs.queenbee.console.model.client.Asked;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.jspecify.annotations.Nullable;

/**
 * Who does what in the hive at present. Its JSON is an interface: fields are added, never renamed.
 *
 * @param seconds over which it was looked at
 * @param health of the hive in a sentence
 * @param requestsPerSecond of all users
 * @param medianMicros half of the requests took the queen-bee at most so long
 * @param slowMicros 99 of 100 did
 * @param copyRate bytes that are copied in a second; 0 when that is not known
 * @param bytesToCopy what is still to be copied to desktops that are there
 * @param users who asks anything, the busiest first
 */
record TopReport(
        double seconds,
        String health,
        double requestsPerSecond,
        long medianMicros,
        long slowMicros,
        long copyRate,
        long bytesToCopy,
        List<Busy> users) {
    /**
     * A user at a desktop.
     *
     * @param user as {@link Asked} has it
     * @param name of the user on the machine that shows this; null if it has none
     * @param operations what he asks, each in requests a second
     */
    record Busy(
            String desktop,
            String user,
            @Nullable String name,
            double requestsPerSecond,
            Map<String, Double> operations) {}

    private record Who(String desktop, String user) {
        static Who of(Asked asked) {
            return new Who(asked.desktop(), asked.user());
        }
    }

    /**
     * What has been asked between two looks.
     *
     * @param names of users, by their numbers
     */
    static TopReport between(
            ActivityView before, ActivityView after, HiveView hive, Function<String, Optional<String>> names) {
        double seconds = Math.max(1, after.millis() - before.millis()) / 1000.0;
        Map<Who, Map<String, Long>> known = new HashMap<>();
        before.asked().forEach(asked -> known.put(Who.of(asked), asked.requests()));
        List<Busy> users = after.asked().stream()
                .map(asked -> busy(asked, known.getOrDefault(Who.of(asked), Map.of()), seconds, names))
                .filter(busy -> busy.requestsPerSecond > 0)
                .sorted(Comparator.comparingDouble(Busy::requestsPerSecond).reversed())
                .toList();
        return new TopReport(
                seconds,
                hive.health(),
                users.stream().mapToDouble(Busy::requestsPerSecond).sum(),
                hive.load().medianMicros(),
                hive.load().slowMicros(),
                hive.copies().rate(),
                hive.copies().bytesToCopy(),
                users);
    }

    private static Busy busy(
            Asked asked, Map<String, Long> before, double seconds, Function<String, Optional<String>> names) {
        Map<String, Double> operations = new TreeMap<>();
        asked.requests().forEach((operation, now) -> {
            long more = more(now, before.getOrDefault(operation, 0L));
            if (more > 0) {
                operations.put(operation, more / seconds);
            }
        });
        double all =
                operations.values().stream().mapToDouble(Double::doubleValue).sum();
        String name = operations.isEmpty() ? null : names.apply(asked.user()).orElse(null);
        return new Busy(asked.desktop(), asked.user(), name, all, operations);
    }

    /** A session that has begun anew counts from the start. */
    private static long more(long now, long before) {
        return now >= before ? now - before : now;
    }
}
