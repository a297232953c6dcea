package org.beefs.integration.hosts;

import java.util.List;
import org.beefs.integration.program.Program;

/**
 * A hive of a queen-bee and five desktops, each on a host of its own with its own network, processes, mounts and disk.
 * Closing it leaves nothing behind. For one thread.
 */
interface Hosts extends AutoCloseable {
    String QUEEN_BEE = "queenbee";
    List<String> DESKTOPS = List.of("desk1", "desk2", "desk3", "desk4", "desk5");

    /**
     * A script on a host, for which {@code $HIVE} is the mount and {@code $BEEFS_STATE} the folder of all that the host
     * keeps.
     */
    Program on(String host, String script);

    /** Ends all of its processes at once, as a loss of power does; its disk stays. */
    void kill(String host);

    /** Starts a killed one again. */
    void start(String host);

    /** Takes its link away: nothing comes or goes, and nobody is told. */
    void cut(String host);

    /** Gives it back. */
    void heal(String host);

    /** Stack traces of BeeFS's own code in logs, each told once. */
    List<String> freshTraces();

    /** Copies logs to target/hives/NAME, for whoever looks into a failure. */
    void keepLogs(String name);

    @Override
    void close();
}
