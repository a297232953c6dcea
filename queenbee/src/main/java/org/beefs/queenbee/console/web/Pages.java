package org.beefs.queenbee.console.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.settings.SettingsFile;

/** All pages by their path, in the order of the navigation. Immutable. */
final class Pages {
    private final Map<String, Page> pages = new LinkedHashMap<>();

    Pages(ConsoleModel model, Accounts accounts, SettingsFile settings) {
        pages.put("/", new HivePage(model));
        pages.put(DesktopsPage.PATH, new DesktopsPage(model));
        pages.put("/files", new FilesPage(model));
        pages.put("/replication", new ReplicationPage(model));
        pages.put("/without", new WithoutPage(model));
        pages.put("/clients", new ClientsPage(model));
        pages.put("/events", new EventsPage(model));
        pages.put(RecoveryPage.PATH, new RecoveryPage(model));
        pages.put("/settings", new SettingsPage(settings));
        pages.put("/access", new AccessPage(accounts));
    }

    /** Where a page was found, and what follows its path. */
    record Found(String path, Page page, String rest) {}

    /** The page at a decoded path; nothing also if the viewer may not see it. */
    Optional<Found> find(String path, Viewer viewer) {
        return visible(viewer).entrySet().stream()
                .filter(entry -> path.equals(entry.getKey())
                        || (entry.getKey().equals(DesktopsPage.PATH) && path.startsWith(DesktopsPage.PATH + "/")))
                .findFirst()
                .map(entry -> new Found(
                        entry.getKey(),
                        entry.getValue(),
                        path.equals(entry.getKey())
                                ? ""
                                : path.substring(entry.getKey().length() + 1)));
    }

    /** What the viewer may see. */
    Map<String, Page> visible(Viewer viewer) {
        return pages.entrySet().stream()
                .filter(entry -> viewer.isAdministrator() || !entry.getValue().isRestricted())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
    }
}
