package org.beefs.queenbee.console.api;

import java.util.List;
import java.util.Map;
import org.beefs.queenbee.console.model.client.ClientView;
import org.beefs.queenbee.console.model.client.Holdings;
import org.beefs.queenbee.console.model.client.LockWait;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.console.model.replication.CopyView;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.History;
import org.beefs.queenbee.console.model.snapshot.PresencePeriod;
import org.beefs.queenbee.console.settings.Setting;
import org.jspecify.annotations.Nullable;

/** What goes to and fro beside the model's own views. An interface: fields are added, never renamed. */
public final class Messages {
    private Messages() {}

    public record Desktops(List<DesktopView> desktops) {}

    public record Samples(List<History.Sample> samples) {}

    public record Events(List<Event> events) {}

    /**
     * Who uses the hive.
     *
     * @param lockWaits who waits for a lock, the first ones first; a bounded number of them
     * @param holdings how much each desktop holds, by its name
     */
    public record ClientList(List<DesktopView> desktops, List<LockWait> lockWaits, Map<String, Holdings> holdings) {}

    public record Copies(List<CopyView> copies) {}

    /**
     * When a desktop was there.
     *
     * @param periods of the last days, the oldest first; none for a desktop without honeycomb
     */
    public record Presence(List<PresencePeriod> periods) {}

    public record Client(ClientView client) {}

    public record Settings(List<Setting> settings) {}

    /**
     * The console itself.
     *
     * @param address of the web console; null if it is off
     * @param accounts how many there are
     */
    public record ConsoleInfo(@Nullable String address, int accounts) {}

    /**
     * Somebody who may log in, or a token to be made.
     *
     * @param role {@code viewer} or {@code administrator}
     */
    public record Account(String name, String role) {}

    /**
     * What an account is to be.
     *
     * @param role likewise; null or empty for the one that it has
     * @param ifNew that of an account which is made, where no role is said; null for {@code viewer}
     */
    public record NewRole(@Nullable String role, @Nullable String ifNew) {}

    public record Accounts(List<Account> accounts) {}

    /**
     * An account that was made or changed.
     *
     * @param password told this once
     * @param endedTokens names of its owner's tokens that may do more than that role; null from older versions
     */
    public record NewPassword(
            String name,
            String role,
            String password,
            @Nullable List<String> endedTokens) {
        /** What the account may do now, and what has gone with that. */
        public String told() {
            return "%s is %s%s".formatted(name, role, andTokens(endedTokens == null ? List.of() : endedTokens));
        }
    }

    /** That tokens go as well; empty if none does. */
    static String andTokens(List<String> ended) {
        return ended.isEmpty() ? "" : "; with it go the tokens " + String.join(", ", ended);
    }

    /**
     * A token of a script.
     *
     * @param made when
     * @param by whom
     */
    public record Token(String id, String name, String role, String made, String by) {}

    public record Tokens(List<Token> tokens) {}

    /**
     * A token that was made.
     *
     * @param secret told this once; shown in a header {@code Authorization: Bearer}
     */
    public record NewToken(String id, String name, String role, String secret) {}

    /**
     * For how long.
     *
     * @param time such as 30m or 2h; an hour if it is not said
     */
    public record NewPause(@Nullable String time) {}

    /**
     * What a setting is to be.
     *
     * @param value such as 3 or 5m
     */
    public record NewValue(String value) {}

    /**
     * Something is done.
     *
     * @param done what, for people
     */
    public record Done(String done) {}
}
