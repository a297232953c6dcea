package org.beefs.honeybee.fuse.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenDirectoriesTest {
    private static final long DIRECTORY = 7;
    private static final int PAGE = OpenDirectories.WITH_ATTRIBUTES / 2;

    private final OpenDirectories directories = new OpenDirectories();

    @Test
    void shouldTellAttributesUpToABound() {
        directories.open(DIRECTORY);

        assertThat(directories.takeAttributes(DIRECTORY, PAGE)).isTrue();
        assertThat(directories.takeAttributes(DIRECTORY, PAGE)).isTrue();
        assertThat(directories.takeAttributes(DIRECTORY, 1)).isFalse();
        assertThat(directories.takeAttributes(DIRECTORY, Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldTellFurtherOnesWhenSomebodyLooks() {
        exhaust();

        directories.lookedUp(DIRECTORY);

        assertThat(directories.takeAttributes(DIRECTORY, PAGE)).isTrue();
    }

    @Test
    void shouldStopWhenItIsToldTo() {
        directories.open(DIRECTORY);

        directories.stop(DIRECTORY);

        assertThat(directories.takeAttributes(DIRECTORY, 1)).isFalse();
        directories.lookedUp(DIRECTORY);
        assertThat(directories.takeAttributes(DIRECTORY, 1)).isTrue();
    }

    @Test
    void shouldBeginAnewWithAListing() {
        exhaust();

        directories.begin(DIRECTORY);

        assertThat(directories.takeAttributes(DIRECTORY, PAGE)).isTrue();
    }

    @Test
    void shouldKnowADirectoryUntilItIsClosedAsOftenAsItWasOpened() {
        exhaust();
        directories.open(DIRECTORY);
        directories.close(DIRECTORY);
        assertThat(directories.takeAttributes(DIRECTORY, 1)).isFalse();
        directories.close(DIRECTORY);

        directories.open(DIRECTORY);

        assertThat(directories.takeAttributes(DIRECTORY, PAGE)).isTrue();
    }

    @Test
    void shouldNotBeDisturbedByWhatIsNotOpen() {
        directories.lookedUp(DIRECTORY);
        directories.begin(DIRECTORY);
        directories.close(DIRECTORY);

        assertThat(directories.takeAttributes(DIRECTORY, 1)).isFalse();
    }

    private void exhaust() {
        directories.open(DIRECTORY);
        while (directories.takeAttributes(DIRECTORY, PAGE)) {
            // until there are none left
        }
    }
}
