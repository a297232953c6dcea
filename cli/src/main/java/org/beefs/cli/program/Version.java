package org.beefs.cli.program;

import org.beefs.common.rpc.RpcConnection;
import picocli.CommandLine.IVersionProvider;

/** Which version this is. */
public final class Version implements IVersionProvider {
    /** The program's version, as the build wrote it into its jar. */
    public static String ofProgram() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "BeeFS " + ofProgram() + ", protocol " + RpcConnection.PROTOCOL, "Java " + Runtime.version()
        };
    }
}
