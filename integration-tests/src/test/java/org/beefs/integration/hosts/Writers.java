package org.beefs.integration.hosts;

import java.util.ArrayList;
import java.util.List;

/** Several {@link Writer}s, on several hosts. For one thread. */
final class Writers implements AutoCloseable {
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

    /** Likewise, or until a line has failed. */
    void awaitProgressOrEnd(int lines) {
        living.forEach(writer -> writer.awaitProgressOrEnd(lines));
    }

    /** Starts another one for each that has ended. */
    void startAgain() {
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
