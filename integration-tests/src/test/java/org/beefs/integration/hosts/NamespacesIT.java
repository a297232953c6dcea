package org.beefs.integration.hosts;

import org.beefs.integration.program.Requires;

/** In namespaces of this kernel. */
@Requires(programs = {"ip", "unshare", "nsenter"})
class NamespacesIT extends HostScenarios {
    NamespacesIT() {
        super(new NamespaceHosts());
    }
}
