package org.beefs.cli.queen;

import java.util.List;
import java.util.Map;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.view.Report;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.Messages.Account;
import org.beefs.queenbee.console.api.Messages.Accounts;
import org.beefs.queenbee.console.api.Messages.ConsoleInfo;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.api.Messages.NewToken;
import org.beefs.queenbee.console.api.Messages.Token;
import org.beefs.queenbee.console.api.Messages.Tokens;
import org.beefs.queenbee.console.login.Role;
import org.jspecify.annotations.Nullable;

/** Who may use the web console and its REST interface: what its page Access has. */
final class ConsoleAccess {
    private final RunningQueenBee queenBee;

    ConsoleAccess(RunningQueenBee queenBee) {
        this.queenBee = queenBee;
    }

    /** As {@link ConsoleLogin#newPassword}. */
    ConsoleLogin newPassword(String account, @Nullable Role role) {
        ConsoleInfo info = queenBee.get("/console", Map.of(), ConsoleInfo.class);
        return new ConsoleLogin(info.address(), ConsoleLogin.newPassword(queenBee, account, role));
    }

    NewToken newToken(String name, Role role) {
        return queenBee.call("POST", "/tokens", Map.of(), new Account(name, role.word()), NewToken.class);
    }

    Listed list() {
        return new Listed(
                queenBee.get("/accounts", Map.of(), Accounts.class).accounts(),
                queenBee.get("/tokens", Map.of(), Tokens.class).tokens());
    }

    Done removeAccount(String name) {
        return remove("/accounts/" + Api.encoded(name));
    }

    Done removeToken(String id) {
        return remove("/tokens/" + Api.encoded(id));
    }

    private Done remove(String path) {
        return queenBee.call("DELETE", path, Map.of(), Map.of(), Done.class);
    }

    /** All accounts and tokens. */
    record Listed(List<Account> accounts, List<Token> tokens) implements Report {
        @Override
        public String render() {
            Table table = new Table("name", "role", "token", "made", "by");
            accounts.forEach(account -> table.add(account.name(), account.role(), "", "", ""));
            tokens.forEach(token -> table.add(token.name(), token.role(), token.id(), token.made(), token.by()));
            return table.render();
        }
    }
}
