package org.beefs.cli.program;

import java.util.Optional;
import org.beefs.common.rpc.RpcConnection;
import picocli.CommandLine.IVersionProvider;

/** Which version this is. */
public final class Version implements IVersionProvider {
    /** The property in which a process is told its build. */
    public static final String BUILD = "beefs.build";

    /** The program's version, as the build wrote it into its jar. */
    public static String ofProgram() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Which build it is, as the launcher sees it in the libraries that are there (caches.sh). */
    public static Optional<String> build() {
        return Optional.ofNullable(System.getProperty(BUILD));
    }

    /** What runs here, for people: after an upgrade they look for daemons that have not been restarted. */
    public static String ofProcess() {
        return ofProgram() + build().map(id -> ", build " + id).orElse("");
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "BeeFS " + ofProcess() + ", protocol " + RpcConnection.PROTOCOL, "Java " + Runtime.version()
        };
    }
}
