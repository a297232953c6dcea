package org.beefs.queenbee.console.web;

import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.console.login.WebSession;

/** Who looks at a page. */
record Viewer(Principal who, WebSession session) {
    boolean isAdministrator() {
        return who.role() == Role.ADMINISTRATOR;
    }
}
