package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedTest {
    private static final int MANY = 65_536;

    private final Shared<String> shared = new Shared<>();

    @Test
    void shouldShareEqualValues() {
        String value = copy("a");

        assertThat(shared.share(value)).isSameAs(value);
        assertThat(shared.share(copy("a"))).isSameAs(value);
    }

    @Test
    void shouldShareFurtherEqualValuesHoweverManyOthersThereWere() {
        for (int i = 0; i < MANY; i++) {
            shared.share("other " + i);
        }
        String value = copy("a");

        assertThat(shared.share(value)).isSameAs(value);
        assertThat(shared.share(copy("a"))).isSameAs(value);
    }

    /** Another object each time. */
    private static String copy(String text) {
        return String.valueOf(text.toCharArray());
    }
}
