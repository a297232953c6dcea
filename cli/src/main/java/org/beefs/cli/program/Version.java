package org.beefs.cli.program;

import java.util.Optional;
import org.beefs.common.rpc.RpcConnection;
import picocli.CommandLine.IVersionProvider;

/** Which version this is. */
public final class Version implements IVersionProvider {
    /** The program's version, as the build wrote it into its jar. */
    public static String ofProgram() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Which build it is, as the launcher sees it in the libraries that are there (caches.sh). */
    public static Optional<String> build() {
        return Optional.ofNullable(System.getProperty("beefs.build"));
    }

    @Override
    public String[] getVersion() {
        String build = build().map(id -> ", build " + id).orElse("");
        return new String[] {
            "BeeFS " + ofProgram() + build + ", protocol " + RpcConnection.PROTOCOL, "Java " + Runtime.version()
        };
    }
}
