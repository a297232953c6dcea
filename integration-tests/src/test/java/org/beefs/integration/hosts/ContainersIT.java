package org.beefs.integration.hosts;

import org.beefs.integration.program.Requires;

/** In containers of the image that users get. */
@Requires(engine = true)
class ContainersIT extends HostScenarios {
    ContainersIT() {
        super(new ContainerHosts());
    }
}
