package org.beefs.queenbee.console.api;

import static org.beefs.queenbee.console.api.Route.action;
import static org.beefs.queenbee.console.api.Route.get;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.client.ActivityView;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.jspecify.annotations.Nullable;

/** What is known of desktops and of their mounts, and what is done to them. Thread-safe. */
final class DesktopRoutes {
    private final ConsoleModel model;

    DesktopRoutes(ConsoleModel model) {
        this.model = model;
    }

    List<Route> all() {
        return List.of(
                get(
                        "/desktops",
                        "All desktops",
                        Messages.Desktops.class,
                        _ -> new Messages.Desktops(model.snapshot().desktops())),
                get("/desktops/{desktop}", "A desktop", DesktopView.class, this::desktop),
                get(
                        "/desktops/{desktop}/presence",
                        "When a desktop was awake, asleep and lost in the last days",
                        Messages.Presence.class,
                        call -> new Messages.Presence(model.presence(call.variable("desktop")))),
                action(
                        "POST",
                        "/desktops/{desktop}/drain",
                        "Empties a desktop, so that it can be switched off for good",
                        call -> drain(call, false)),
                action(
                        "DELETE",
                        "/desktops/{desktop}/drain",
                        "Lets a desktop take replicas again",
                        call -> drain(call, true)),
                action("POST", "/desktops/{desktop}/lost", "Gives a desktop up that does not come back", this::lost),
                action(
                        "POST",
                        "/desktops/{desktop}/forget",
                        "Forgets a desktop that was given up or emptied, for good",
                        this::forget),
                action(
                        "POST",
                        "/desktops/{desktop}/wake",
                        "Wakes a desktop that is asleep, with Wake-on-LAN",
                        this::wake),
                action(
                        "POST",
                        "/desktops/{desktop}/pause",
                        "Keeps a desktop from copying for a while",
                        Messages.NewPause.class,
                        call -> pause(call, time(call))),
                action(
                        "DELETE",
                        "/desktops/{desktop}/pause",
                        "Lets a desktop copy again",
                        call -> pause(call, Duration.ZERO)),
                action(
                        "PUT",
                        "/desktops/{desktop}/room",
                        "Says in which room a desktop is",
                        Messages.NewValue.class,
                        call -> room(call, call.newValue())),
                action(
                        "DELETE",
                        "/desktops/{desktop}/room",
                        "Says that a desktop is in no room",
                        call -> room(call, null)),
                get(
                        "/clients",
                        "Who has mounted the hive, and who waits for locks",
                        Messages.ClientList.class,
                        _ -> new Messages.ClientList(
                                model.snapshot().desktops(),
                                model.clients().lockWaits(),
                                model.clients().holdings())),
                get(
                        "/activity",
                        "What each user of each desktop has asked so far",
                        ActivityView.class,
                        _ -> model.clients().activity()),
                get(
                        "/clients/{desktop}",
                        "A desktop's open files and locks",
                        Messages.Client.class,
                        call -> new Messages.Client(model.clients().of(call.variable("desktop")))),
                action(
                        "DELETE",
                        "/clients/{desktop}",
                        "Ejects a desktop: frees its locks and closes its open files, after which it begins anew",
                        this::eject));
    }

    private DesktopView desktop(Call call) {
        String name = call.variable("desktop");
        return model.snapshot()
                .desktop(name)
                .orElseThrow(() -> new PosixException(Errno.ENODEV, "there is no desktop named " + name));
    }

    private Done drain(Call call, boolean cancel) {
        String desktop = call.variable("desktop");
        model.administration().drain(desktop, cancel, call.who().name());
        return new Done(desktop + (cancel ? " takes replicas again" : " is draining"));
    }

    private Done lost(Call call) {
        String desktop = call.variable("desktop");
        model.administration().declareLost(desktop, call.who().name());
        return new Done("what " + desktop + " held and is away counts as lost");
    }

    private Done forget(Call call) {
        String desktop = call.variable("desktop");
        model.administration().forget(desktop, call.who().name());
        return new Done("what " + desktop + " had and is away is forgotten");
    }

    private Done wake(Call call) {
        String desktop = call.variable("desktop");
        model.administration().wake(desktop, call.who().name());
        return new Done(desktop + " is called to wake up; that may take a minute");
    }

    private Done room(Call call, @Nullable String room) {
        String desktop = desktop(call).name();
        return new Done(model.administration().setRoom(desktop, room, call.who().name()));
    }

    private Done pause(Call call, Duration time) {
        String desktop = call.variable("desktop");
        model.administration().pause(desktop, time, call.who().name());
        return new Done(
                desktop + (time.isZero() ? " is not paused any more" : " is paused for " + Durations.format(time)));
    }

    private static Duration time(Call call) {
        String text =
                Objects.requireNonNullElse(call.body(Messages.NewPause.class).time(), "1h");
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new PosixException(Errno.EINVAL, "'%s' is no time such as 30m or 2h".formatted(text));
        }
    }

    private Done eject(Call call) {
        String desktop = call.variable("desktop");
        model.administration().eject(desktop, call.who().name());
        return new Done(desktop + " is ejected, and begins anew when it next asks for something");
    }
}
