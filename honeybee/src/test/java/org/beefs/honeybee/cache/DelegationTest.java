package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.Recall;
import org.junit.jupiter.api.Test;

/** What a desktop knows of changes that it has made under delegations, before and after they are answered. */
class DelegationTest extends DelegatedCacheTest {
    @Test
    void shouldKnowWhatItHasMadeBeforeAnyAnswer() {
        Decided file = decided(create("f"));
        Decided directory = decided(makeDirectory("d"));

        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(find("d")).isEqualTo(FIRST + 1);
        assertThat(file.request().getDecision().getInode()).isEqualTo(FIRST);
        assertThat(file.request().getDecision().getEpoch()).isEqualTo(3);
        assertThat(file.request().getDecision().getTime()).isEqualTo(now());
        assertThat(file.reply().getNode().getCreated()).isTrue();
        assertThat(file.reply().getNode().getLayout().getInode()).isEqualTo(FIRST);
        assertThat(directory.request().getDecision().getInode()).isEqualTo(FIRST + 1);
        assertThat(node(HOME).getAttributes().getMtime())
                .as("no two decisions have the same time")
                .isEqualTo(directory.request().getDecision().getTime())
                .isNotEqualTo(file.request().getDecision().getTime());
        assertThat(node(HOME).getAttributes().getLinks()).isEqualTo(3);
    }

    @Test
    void shouldTellTheTimeOfAClockThatWasAheadAndIsRightAgain() {
        decided(create("f"));

        timers.clock().setBack(Duration.ofHours(2));

        assertThat(decided(create("g")).request().getDecision().getTime()).isEqualTo(now());
    }

    @Test
    void shouldLetItsKernelKeepWhatItHasMadeUntilOthersLook() {
        Decided made = decided(create("f"));
        Attributes attributes = made.reply().getNode().getAttributes();

        assertThat(view.madeAttributes(attributes)).isEqualTo(WHOLE_LEASE);
        assertThat(view.attributes(attributes)).as("later").isZero();
        recall(recallOf(FIRST));
        assertThat(kernel.takeForgotten()).contains(FIRST);
    }

    @Test
    void shouldNotLetItsKernelKeepWhatOthersMayOpenBeforeTheAnswerIsWritten() {
        Decided made = decided(create("f"));

        recall(recallOf(FIRST));

        assertThat(view.madeAttributes(made.reply().getNode().getAttributes())).isZero();
    }

    @Test
    void shouldDecideInWhatItHasDecided() {
        decided(makeDirectory("d"));

        decided(create(FIRST, "f"));

        assertThat(find(FIRST, "f")).isEqualTo(FIRST + 1);
        assertThat(find(FIRST, "g")).isEqualTo(0);
    }

    @Test
    void shouldKnowThatWhatItHasRemovedIsAbsent() {
        answer(decided(create("f")), 10);
        answer(decided(makeDirectory("d")), 11);

        decided(unlink(HOME, "f"));
        decided(removeDirectory("d"));

        assertThat(find("f")).isZero();
        assertThat(find("d")).isZero();
        assertThat(cache.node(FIRST)).isNull();
        assertThat(node(HOME).getAttributes().getLinks()).isEqualTo(2);
    }

    @Test
    void shouldShowAttributesThatItHasSet() {
        decided(chmod(HOME, 0711));

        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0711);
        assertThat(node(HOME).getAttributes().getCtime()).isEqualTo(now());
    }

    @Test
    void shouldListWhatItHasMadeWhenAllIsAnswered() {
        Decided first = decided(create("z"));
        Decided second = decided(create("a"));
        Decided third = decided(makeDirectory("m"));
        assertThat(cache.page(HOME, 0, 10, false)).isNull();

        answer(first, 10);
        answer(second, 11);
        assertThat(cache.page(HOME, 0, 10, false)).isNull();
        answer(third, 12);

        DirectoryPage page = Objects.requireNonNull(cache.page(HOME, 0, 10, false));
        assertThat(page.getEntriesList())
                .extracting(entry -> entry.getName().toStringUtf8())
                .containsExactly("z", "a", "m");
        assertThat(page.getEntriesList()).extracting(DirectoryEntry::getCookie).containsExactly(10L, 11L, 12L);
        assertThat(page.getEnd()).isTrue();
    }

    @Test
    void shouldListNothingOfWhatItHasRemovedBeforeTheAnswerCame() {
        Decided made = decided(create("f"));
        Decided removed = decided(unlink(HOME, "f"));
        Decided again = decided(create("f"));

        answer(made, 10);
        answer(removed, 0);
        answer(again, 11);

        DirectoryPage page = Objects.requireNonNull(cache.page(HOME, 0, 10, false));
        assertThat(page.getEntriesList()).extracting(DirectoryEntry::getInode).containsExactly(FIRST + 1);
        assertThat(page.getEntriesList()).extracting(DirectoryEntry::getCookie).containsExactly(11L);
    }

    @Test
    void shouldNotListWhenItIsNotToldWhereANameIs() {
        answer(decided(create("f")), 0);

        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(cache.page(HOME, 0, 10, false)).isNull();
    }

    @Test
    void shouldKnowMoreThanAnOlderLookup() {
        answer(decided(create("f")), 10);
        Decided removed = decided(unlink(HOME, "f"));

        answer(lookup(HOME, "f"), reply(file(FIRST)));
        assertThat(find("f")).isZero();
        assertThat(cache.node(FIRST)).isNull();

        answer(removed, 0);
        assertThat(find("f")).isZero();
    }

    @Test
    void shouldKnowMoreThanAnOlderAbsence() {
        decided(create("f"));

        answer(lookup(HOME, "f"), absent());

        assertThat(find("f")).isEqualTo(FIRST);
    }

    @Test
    void shouldKnowMoreThanOlderAttributes() {
        Decided changed = decided(chmod(HOME, 0711));

        answer(attributes(HOME), reply(directory(HOME, 0755)));
        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0711);

        answer(changed, 0);
        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0711);
        answer(attributes(HOME), reply(directory(HOME, 0700)));
        assertThat(node(HOME).getAttributes().getMode() & 07777)
                .as("an answer from afterwards")
                .isEqualTo(0700);
    }

    @Test
    void shouldKnowMoreThanAnOlderListing() {
        Decided first = decided(create("f"));
        QueenReply older = QueenReply.newBuilder()
                .setDirectoryPage(DirectoryPage.newBuilder()
                        .setParent(DIRECTORY)
                        .setLeased(true)
                        .setEnd(true))
                .build();

        answer(listed(HOME), older);
        assertThat(find("f")).isEqualTo(FIRST);

        answer(first, 10);
        assertThat(find("f")).isEqualTo(FIRST);
        assertThat(Objects.requireNonNull(cache.page(HOME, 0, 10, false)).getEntriesList())
                .extracting(DirectoryEntry::getInode)
                .containsExactly(FIRST);
    }

    @Test
    void shouldKnowMoreThanNodesOfAnOlderListing() {
        answer(decided(create("f")), 10);
        decided(chmod(FIRST, 0600));
        QueenReply older = QueenReply.newBuilder()
                .setDirectoryPage(DirectoryPage.newBuilder()
                        .setParent(DIRECTORY)
                        .setLeased(true)
                        .setEnd(true)
                        .addEntries(DirectoryEntry.newBuilder()
                                .setName(name("f"))
                                .setInode(FIRST)
                                .setType(FileMode.REGULAR)
                                .setCookie(10)
                                .setNode(file(FIRST))))
                .build();

        answer(listed(HOME), older);

        assertThat(node(FIRST).getAttributes().getMode() & 07777).isEqualTo(0600);
    }

    @Test
    void shouldTakeOverWhatTheQueenBeeHasChosenOtherwise() {
        Decided made = decided(makeDirectory("d"));
        Node other = made.reply().getNode().toBuilder()
                .setAttributes(
                        made.reply().getNode().getAttributes().toBuilder().setMode(FileMode.DIRECTORY | 0700))
                .build();

        cache.answeredDecided(made, timers.clock().bootNanos(), reply(other));

        assertThat(node(FIRST).getAttributes().getMode() & 07777).isEqualTo(0700);
    }

    @Test
    void shouldForgetAttributesThatAreNotLeasedAnyMore() {
        Decided changed = decided(chmod(HOME, 0711));
        Node unleased = changed.reply().getNode().toBuilder()
                .setAttributes(
                        changed.reply().getNode().getAttributes().toBuilder().setMode(FileMode.DIRECTORY | 0700))
                .setAttributesLeased(false)
                .build();

        cache.answeredDecided(changed, timers.clock().bootNanos(), reply(unleased));

        assertThat(cache.node(HOME)).isNull();
    }

    @Test
    void shouldForgetAttributesThatAreAsExpectedButNotLeased() {
        Decided changed = decided(chmod(HOME, 0711));
        Node unleased =
                changed.reply().getNode().toBuilder().setAttributesLeased(false).build();

        cache.answeredDecided(changed, timers.clock().bootNanos(), reply(unleased));

        assertThat(cache.node(HOME)).isNull();
    }

    @Test
    void shouldNotTakeOverWhatIsOlderThanTheNextChange() {
        Decided first = decided(chmod(HOME, 0711));
        Decided second = decided(chmod(HOME, 0700));

        answer(first, 0);
        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0700);
        answer(second, 0);

        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0700);
    }

    @Test
    void shouldKnowNothingOfWhatIsAnsweredAfterEverythingWasForgotten() {
        Decided made = decided(create("f"));
        cache.drop();

        answer(made, 10);

        assertThat(find("f")).isNull();
        assertThat(cache.node(FIRST)).isNull();
        assertThat(cache.page(HOME, 0, 10, false)).isNull();
    }

    @Test
    void shouldBelieveAnswersAgainWhenAChangeIsRefused() {
        Decided changed = decided(chmod(HOME, 0711));

        cache.answeredDecided(changed, 0, null);
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        assertThat(node(HOME).getAttributes().getMode() & 07777).isEqualTo(0755);
    }

    @Test
    void shouldDecideNothingAnyMoreInWhatIsRecalled() {
        answer(decided(create("f")), 10);
        answer(decided(makeDirectory("d")), 11);

        recall(recallOf(HOME));
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("g"), makeDirectory("g"), unlink(HOME, "f"), removeDirectory("d"), chmod(HOME, 0700));
        decided(chmod(FIRST, 0600));
        decided(create(FIRST + 1, "g"));
    }

    @Test
    void shouldDecideNothingAnyMoreAboutAFileThatIsRecalled() {
        answer(decided(create("f")), 10);

        recall(recallOf(FIRST));
        answer(attributes(FIRST), reply(file(FIRST)));

        asked(chmod(FIRST, 0600), unlink(HOME, "f"));
        decided(create("g"));
    }

    @Test
    void shouldDecideNothingAnyMoreWhenEverythingIsRecalled() {
        recall(Recall.newBuilder().setEverything(true).build());
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    @Test
    void shouldDecideNothingAnyMoreWhenEverythingIsForgotten() {
        cache.drop();
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    @Test
    void shouldDecideNothingAfterARegistration() {
        cache.end();
        asked(create("f"), chmod(HOME, 0700));

        cache.registered(timers.clock().bootNanos(), TERMS);
        answer(attributes(HOME), reply(directory(HOME, 0755)));

        asked(create("f"), chmod(HOME, 0700));
    }

    @Test
    void shouldDecideNothingWhenTheQueenBeeIsSilent() {
        passHearing(Duration.ofSeconds(10));
        decided(create("f"));

        pass(Duration.ofSeconds(5));

        asked(create("g"), chmod(HOME, 0700));
    }
}
