package org.beefs.queenbee.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndingsTest {
    @Test
    void shouldForgetWhyTheEldestHasEnded() {
        Endings endings = new Endings();
        for (long session = 1; session <= Endings.MOST; session++) {
            endings.add(session, "silence");
        }
        assertThat(endings.why(1)).isEqualTo("silence");

        endings.add(Endings.MOST + 1, "goodbye");

        assertThat(endings.why(1)).isEmpty();
        assertThat(endings.why(2)).isEqualTo("silence");
        assertThat(endings.why(Endings.MOST + 1)).isEqualTo("goodbye");
    }
}
