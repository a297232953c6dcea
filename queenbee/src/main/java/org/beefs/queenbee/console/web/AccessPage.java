package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import java.util.stream.Stream;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.Role;

/** Accounts of people, tokens of scripts. */
final class AccessPage implements Page {
    private static final String PATH = "/access";

    /** Chosen where nobody chooses: who gets a new password is to lose neither rights nor tokens by that. */
    private static final Html UNCHANGED = tag("option", attribute("value", ""), "as it is (viewer, if new)");

    private final Accounts accounts;

    AccessPage(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public String title() {
        return "Access";
    }

    @Override
    public boolean isLive() {
        return false;
    }

    @Override
    public boolean isRestricted() {
        return true;
    }

    @Override
    public Html body(PageRequest request) {
        Viewer viewer = request.viewer();
        return Html.all(
                tag("h2", "People"),
                people(viewer),
                form(
                        viewer,
                        "PUT",
                        "/accounts/{name}",
                        "account",
                        "Make, or give a new password",
                        Stream.of(UNCHANGED)),
                tag("h2", "Scripts"),
                scripts(viewer),
                form(viewer, "POST", "/tokens", "token", "Make a token", Stream.empty()));
    }

    private Html people(Viewer viewer) {
        Grid grid = new Grid("Who may log in", "Name", "Role", "");
        accounts.accounts()
                .forEach(account -> grid.add(
                        account.name(),
                        account.role().word(),
                        Buttons.button(
                                viewer,
                                "Remove",
                                "DELETE",
                                "/accounts/" + Api.encoded(account.name()),
                                PATH,
                                "Remove the account " + account.name() + "?")));
        return grid.render("There are no accounts.");
    }

    private Html scripts(Viewer viewer) {
        Grid grid = new Grid("Tokens for the REST interface", "Name", "Role", "Made", "");
        accounts.tokens()
                .forEach(token -> grid.add(
                        token.name(),
                        token.role().word(),
                        Shown.time(token.made()) + " by " + token.by(),
                        Buttons.button(
                                viewer,
                                "Remove",
                                "DELETE",
                                "/tokens/" + token.id(),
                                PATH,
                                "Remove the token " + token.name() + "?")));
        return grid.render("There are no tokens.");
    }

    /** @param before the roles in the list */
    private static Html form(
            Viewer viewer, String method, String path, String what, String label, Stream<Html> before) {
        Stream<Html> all =
                Stream.of(Role.values()).map(role -> tag("option", attribute("value", role.word()), role.word()));
        List<Html> roles = Stream.concat(before, all).toList();
        return tag(
                "form",
                attribute("method", "post"),
                attribute("action", "/do"),
                css("inline"),
                Buttons.target(viewer, method, path, PATH),
                tag(
                        "label",
                        "Name",
                        tag(
                                "input",
                                attribute("id", what + "-name"),
                                attribute("name", "name"),
                                attribute("required", ""),
                                attribute("maxlength", 64))),
                tag("label", "Role", tag("select", attribute("id", what + "-role"), attribute("name", "role"), roles)),
                tag("button", label));
    }
}
