package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.tag;

import java.util.Map;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.client.Holdings;
import org.beefs.queenbee.console.model.snapshot.DesktopView;

/** Who has mounted the hive, and who waits for whom. */
final class ClientsPage implements Page {
    private final ConsoleModel model;

    ClientsPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Clients";
    }

    @Override
    public Html body(PageRequest request) {
        return Html.all(tag("h2", "Mounts"), mounts(request.viewer()), tag("h2", "Who waits for a lock"), locks());
    }

    private Html mounts(Viewer viewer) {
        Grid grid = new Grid("Desktops with a mount", "Desktop", "Mounts", "Open files", "Leases", "Locks", "");
        Map<String, Holdings> holdings = model.clients().holdings();
        model.snapshot().desktops().stream()
                .filter(desktop -> !desktop.mounts().isEmpty())
                .forEach(desktop -> add(grid, desktop, holdings.getOrDefault(desktop.name(), Holdings.NONE), viewer));
        return grid.render("Nobody has mounted the hive.");
    }

    private static void add(Grid grid, DesktopView desktop, Holdings holdings, Viewer viewer) {
        grid.add(
                DesktopsPage.link(desktop.name()),
                tag("span", Html.css("path"), String.join(", ", desktop.mounts())),
                Shown.number(desktop.openFiles()),
                Shown.number(holdings.leases()),
                Shown.number(holdings.locks()),
                Buttons.eject(viewer, desktop.name(), "/clients"));
    }

    private Html locks() {
        Grid grid = new Grid("The first ones", "File", "Kind of lock", "Who waits", "For whom");
        model.clients()
                .lockWaits()
                .forEach(wait -> grid.add(
                        FilesPage.link(wait.inode(), wait.path()),
                        wait.kind(),
                        "process %d on %s".formatted(wait.pid(), wait.desktop()),
                        wait.holder().isEmpty()
                                ? "nobody any more"
                                : "process %d on %s".formatted(wait.holderPid(), wait.holder())));
        return grid.render("Nobody waits for a lock.");
    }
}
