package org.beefs.queenbee.console.api;

import static org.beefs.queenbee.console.api.Route.action;
import static org.beefs.queenbee.console.api.Route.get;

import java.util.List;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.console.model.drill.Drills;

/** The drill of a recovery. Thread-safe. */
final class RecoveryRoutes {
    private static final String DRILL = "/recovery/drill";

    private final Drills drills;

    RecoveryRoutes(Drills drills) {
        this.drills = drills;
    }

    List<Route> all() {
        return List.of(
                get(
                        DRILL,
                        "Whether the namespace can be rebuilt: the drill that is under way, or the last one",
                        DrillView.class,
                        _ -> drills.view()),
                action(
                        "POST",
                        DRILL,
                        "Begins to prove that the namespace can be rebuilt from what desktops know",
                        this::begin),
                action("DELETE", DRILL, "Stops the drill that is under way", this::stop));
    }

    private Done begin(Call call) {
        drills.begin(call.who().name());
        return new Done("The drill of the recovery has begun");
    }

    private Done stop(Call call) {
        return new Done(drills.stop(call.who().name()));
    }
}
