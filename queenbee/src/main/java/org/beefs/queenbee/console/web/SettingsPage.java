package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import org.beefs.queenbee.console.settings.Setting;

/** The queen-bee's settings. */
final class SettingsPage implements Page {
    private final List<Setting> settings;

    SettingsPage(List<Setting> settings) {
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
        Grid grid = new Grid("Of the queen-bee", "Setting", "Value", "Default", "What it does");
        settings.forEach(setting -> grid.add(
                tag("code", setting.name()),
                setting.isChanged() ? tag("strong", setting.value()) : setting.value(),
                setting.standard(),
                setting.effect()));
        return Html.all(
                tag(
                        "p",
                        "They are in the queen-bee's configuration file, ",
                        tag("code", "queenbee.toml"),
                        " in her folder, and take effect when she starts again."),
                grid.render(""),
                tag(
                        "p",
                        css("faint"),
                        "Replicas, time to coherence and P-factor can be set for each file and folder too."));
    }
}
