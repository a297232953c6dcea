package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Rename;
import org.junit.jupiter.api.Test;

/** Files that are renamed under delegations, before the queen-bee is asked. */
class DecidedRenameTest extends DelegatedCacheTest {
    @Test
    void shouldKnowTheNewNameAndThatTheOldOneIsAbsent() {
        decided(create("f"));

        Decided renamed = decided(rename("f", "g"));

        assertThat(find("g")).isEqualTo(FIRST);
        assertThat(find("f")).isZero();
        assertThat(renamed.request().getDecision().getInode()).isEqualTo(FIRST);
        assertThat(renamed.request().getDecision().getReplaced()).isZero();
        assertThat(node(FIRST).getAttributes().getCtime())
                .isEqualTo(renamed.request().getDecision().getTime());
        assertThat(node(HOME).getAttributes().getMtime())
                .isEqualTo(renamed.request().getDecision().getTime());
    }

    @Test
    void shouldReplaceAFileThatItMayRemove() {
        decided(create("f"));
        decided(create("g"));

        Decided renamed = decided(rename("f", "g"));

        assertThat(find("g")).isEqualTo(FIRST);
        assertThat(renamed.request().getDecision().getReplaced()).isEqualTo(FIRST + 1);
        assertThat(cache.node(FIRST + 1)).isNull();
    }

    @Test
    void shouldRenameAgainWhatItHasRenamed() {
        decided(create("f"));
        decided(rename("f", "g"));
        decided(create("f"));

        decided(rename("g", "f"));

        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(find("g")).isZero();
        decided(unlink(HOME, "f"));
    }

    @Test
    void shouldAskAboutWhatItDoesNotHoldTheDelegationOf() {
        answer(lookup(HOME, "old"), reply(file(5)));
        decided(create("f"));

        asked(rename("old", "g"), rename("f", "old"));
    }

    @Test
    void shouldAskAboutDirectoriesAndOtherDirectories() {
        answer(decided(makeDirectory("d")), 10);
        answer(decided(create("f")), 11);

        asked(rename("d", "e"), rename("f", "d"), rename(change("f", "g").setNewParent(FIRST)));
    }

    @Test
    void shouldAskAboutWhatIsNotThereOrStaysAsItIs() {
        decided(create("f"));

        asked(rename("g", "h"), rename("f", "f"), rename("f", "."));
    }

    @Test
    void shouldAskAboutExchangesAndNotToReplaceWhatIsThere() {
        decided(create("f"));
        decided(create("g"));

        asked(
                rename(change("f", "g").setExchange(true)),
                rename(change("f", "g").setNoReplace(true)));
        decided(rename(change("f", "h").setNoReplace(true)));
    }

    @Test
    void shouldAskAboutAFileThatIsBeingChanged() {
        answer(decided(create("f")), 10);
        cache.changing(chmod(FIRST, 0600));

        asked(rename("f", "g"));
    }

    @Test
    void shouldListTheNewNameWhenAllIsAnswered() {
        Decided made = decided(create("f"));
        Decided other = decided(create("h"));
        Decided renamed = decided(rename("f", "g"));
        answer(made, 10);
        answer(other, 11);
        assertThat(cache.page(HOME, 0, 10, false)).isNull();

        answer(renamed, 12);

        assertThat(listed()).containsExactly("h", "g");
    }

    @Test
    void shouldNotListByItsOldPlaceANameThatHasComeBack() {
        Decided made = decided(create("f"));
        Decided other = decided(create("h"));
        Decided away = decided(rename("f", "g"));
        Decided back = decided(rename("g", "f"));

        answer(made, 10);
        answer(other, 11);
        answer(away, 12);
        answer(back, 13);

        assertThat(listed()).containsExactly("h", "f");
    }

    @Test
    void shouldNotListByAnOldPlaceWhatHasReplacedAnother() {
        answer(decided(create("f")), 10);
        answer(decided(create("g")), 11);
        answer(decided(create("h")), 12);

        answer(decided(rename("f", "g")), 11);

        assertThat(cache.page(HOME, 0, 10, false)).isNull();
        assertThat(find("g")).isEqualTo(FIRST);
    }

    @Test
    void shouldNotGoOnWithAListingThatHasToldOfWhatItReplaces() {
        beginListing();

        answer(decided(rename("f1000", "f1001")), 1001);

        assertThat(cache.page(HOME, 0, 1, false)).isNull();
    }

    @Test
    void shouldTellThatADirectoryGoesAsFarAsWhatWasRenamedInIt() {
        beginListing();

        answer(decided(rename("f1000", "g")), 2000);

        DirectoryPage page = Objects.requireNonNull(cache.page(HOME, 0, 1, false));
        assertThat(page.getNextCookie()).isEqualTo(2001);
    }

    @Test
    void shouldNotGoOnWithABegunListingWhenItIsNotToldWhereANameIs() {
        beginListing();

        answer(decided(rename("f1000", "g")), 0);

        assertThat(cache.page(HOME, 0, 1, false)).isNull();
    }

    /** A listing that others have made necessary, by a change in the directory, and of which more pages are to come. */
    private void beginListing() {
        answer(decided(create("f1000")), 1000);
        answer(decided(create("f1001")), 1001);
        answer(decided(create("f1002")), 1002);
        recall(Recall.newBuilder()
                .addEntries(EntryName.newBuilder().setDirectory(HOME).setName(name("other")))
                .build());
        answer(listed(HOME), page(false, 1000, 1001, 1002));
    }

    private static Rename.Builder change(String from, String to) {
        return rename(from, to).getRename().toBuilder();
    }

    private List<String> listed() {
        DirectoryPage page = Objects.requireNonNull(cache.page(HOME, 0, 10, false));
        return page.getEntriesList().stream()
                .map(DirectoryEntry::getName)
                .map(name -> name.toStringUtf8())
                .toList();
    }
}
