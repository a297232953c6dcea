package org.beefs.integration.hive;

import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.program.Cleanup;

/** Makes hives for one test, and clears them away after it. For one thread. */
public final class Hives implements AutoCloseable {
    private final List<Hive> hives = new ArrayList<>();
    private final String driver;

    Hives(String driver) {
        this.driver = driver;
    }

    /** A fresh hive with so many desktops, already up. */
    public Hive create(int desktops) {
        Hive hive = Hive.create(desktops, driver);
        hives.add(hive);
        return hive;
    }

    void assertNoTraces() {
        hives.forEach(Hive::assertNoTraces);
    }

    void keepLogs(String name) {
        for (int i = 0; i < hives.size(); i++) {
            hives.get(i).keepLogs(name + "-" + i);
        }
    }

    @Override
    public void close() {
        Cleanup.run(hives.stream().<Runnable>map(hive -> hive::close).toList());
        hives.clear();
    }
}
