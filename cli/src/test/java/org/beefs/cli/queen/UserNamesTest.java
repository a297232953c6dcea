package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UserNamesTest {
    private final UserNames names = new UserNames();

    @Test
    void shouldKnowThoseThatTheMachineKnows() {
        assertThat(names.of("0")).contains("root");
        assertThat(names.of("4000000123")).isEmpty();
        assertThat(names.of("daemon"))
                .as("which is no number, though it is a name")
                .isEmpty();
    }
}
