package org.beefs.integration.hosts;

import java.util.ArrayList;
import java.util.List;

/** How the daemon of a host is started: as by hand, with times so short that tests need not wait for long. */
final class Roles {
    private static final String QUEEN_BEE_ADDRESS = Hosts.QUEEN_BEE + ":7411";

    /** More than the other scenarios ever store, so that one of them can fill it. */
    static final int SMALL_MEBIBYTES = 8;

    private static final String SMALL = "desk5";

    private Roles() {}

    /** Arguments of {@code beefs}. */
    static List<String> arguments(String host, String state, String mount) {
        return host.equals(Hosts.QUEEN_BEE) ? queenBee() : desktop(host, state, mount);
    }

    private static List<String> queenBee() {
        return with(
                List.of("queenbee", "--listen", QUEEN_BEE_ADDRESS),
                "queenbee.lease=5s",
                "queenbee.fence-margin=1500ms",
                "queenbee.heartbeat=500ms",
                "queenbee.cache-time=1500ms",
                "queenbee.recall-timeout=2s",
                "queenbee.time-to-coherence=200ms",
                "queenbee.grace-time=5s");
    }

    private static List<String> desktop(String host, String state, String mount) {
        List<String> command = List.of(
                "desktop",
                host,
                "--queenbee",
                QUEEN_BEE_ADDRESS,
                "--listen",
                "0.0.0.0:7412",
                "--honeycomb",
                state + "/honeycomb",
                "--mount",
                mount);
        return with(
                command,
                "honeybee.patience=10s",
                "honeycomb.reserve=1M",
                "honeycomb.copy-rate=16M",
                "honeycomb.capacity=" + (host.equals(SMALL) ? SMALL_MEBIBYTES : 200) + "M");
    }

    private static List<String> with(List<String> command, String... settings) {
        List<String> all = new ArrayList<>(command);
        for (String setting : settings) {
            all.addAll(List.of("--set", setting));
        }
        return all;
    }
}
