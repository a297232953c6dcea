package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import org.beefs.queenbee.console.settings.Setting;
import org.beefs.queenbee.console.settings.SettingsFile;

/** The queen-bee's settings, and what they are to be. */
final class SettingsPage implements Page {
    private static final String PATH = "/settings";

    private final SettingsFile settings;

    SettingsPage(SettingsFile settings) {
        this.settings = settings;
    }

    @Override
    public String title() {
        return "Settings";
    }

    @Override
    public boolean isLive() {
        return false;
    }

    @Override
    public Html body(PageRequest request) {
        Grid grid = new Grid("Of the queen-bee", "Setting", "Value", "Default", "What it does", "");
        settings.list()
                .forEach(setting -> grid.add(
                        tag("code", setting.name()),
                        value(setting),
                        setting.standard(),
                        setting.effect(),
                        change(setting, request.viewer())));
        return Html.all(
                tag(
                        "p",
                        "They are in the queen-bee's configuration file, ",
                        tag("code", "queenbee.toml"),
                        " in her folder, and take effect when she starts again. What her command line says goes before it."),
                grid.render(""),
                tag(
                        "p",
                        css("faint"),
                        "Replicas, time to coherence and P-factor can be set for each file and folder too."));
    }

    private static Html value(Setting setting) {
        Html now = setting.isChanged() ? tag("strong", setting.value()) : Html.all(setting.value());
        return setting.isToChange()
                ? Html.all(now, tag("span", css("faint"), ", from the next start on " + setting.next()))
                : now;
    }

    private static Html change(Setting setting, Viewer viewer) {
        String path = PATH + "/" + setting.name();
        return Html.all(
                Buttons.input(viewer, setting.name(), setting.next(), path, PATH),
                setting.next().equals(setting.standard())
                        ? Html.NOTHING
                        : Buttons.button(viewer, "Default", "DELETE", path, PATH, ""));
    }
}
