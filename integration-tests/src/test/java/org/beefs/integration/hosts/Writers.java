package org.beefs.integration.hosts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.program.Await;

/** Several {@link Writer}s, on several hosts. For one thread. */
final class Writers implements AutoCloseable {
    private static final Duration STANDSTILL = Duration.ofMinutes(3);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);

    private final Hosts hosts;
    private final List<Writer> all = new ArrayList<>();
    private final List<Writer> living = new ArrayList<>();

    Writers(Hosts hosts) {
        this.hosts = hosts;
    }

    /** Starts one that appends to a file. */
    Writer add(String host, String file) {
        Writer writer = new Writer(hosts, host, "writer" + all.size(), file);
        all.add(writer);
        living.add(writer);
        return writer;
    }

    /** Waits until each got so many further lines acknowledged. */
    void awaitProgress(int lines) {
        living.forEach(writer -> writer.awaitProgress(lines));
    }

    /** Likewise, as people do it: who is told that a line has failed starts again, as often as it takes. */
    void persist(int lines) {
        living.forEach(writer -> writer.awaitProgressOrEnd(lines));
        Await.until(STANDSTILL, () -> "each gets so far: " + living, () -> {
            startAgain();
            Await.pause(BETWEEN_TRIES);
            return living.stream()
                    .allMatch(writer ->
                            writer.isRunning() && writer.acknowledged().size() >= lines);
        });
    }

    private void startAgain() {
        List<Writer> ended =
                living.stream().filter(writer -> !writer.isRunning()).toList();
        living.removeAll(ended);
        ended.forEach(writer -> add(writer.host(), writer.file()));
    }

    /** Ends all. */
    void end() {
        living.forEach(Writer::end);
        living.clear();
    }

    /** Waits for the end of those on a host, which has ended or is about to fail them. */
    void awaitEnd(String host) {
        List<Writer> ending =
                living.stream().filter(writer -> writer.host().equals(host)).toList();
        ending.forEach(Writer::awaitEnd);
        living.removeAll(ending);
    }

    /** To all, on files whose paths begin so. */
    List<String> acknowledged(String prefix) {
        return all.stream()
                .filter(writer -> writer.file().startsWith(prefix))
                .flatMap(writer -> writer.acknowledged().stream())
                .toList();
    }

    @Override
    public void close() {
        all.forEach(Writer::close);
    }
}
