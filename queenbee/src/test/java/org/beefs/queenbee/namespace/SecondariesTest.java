package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecondariesTest {
    private static final SecuredVersion SECURED = new SecuredVersion(1, 2, 3, 4, 5);

    @Test
    void shouldTellExtraOnesFromOthers() {
        Secondaries secondaries = Secondaries.NONE.with(1, 0).marked(1, true).with(2, 3);

        assertThat(secondaries.proper()).containsExactly(2);
        assertThat(secondaries.extra()).containsExactly(1);
        assertThat(secondaries.honeycombs()).containsExactly(2, 1);
        assertThat(secondaries.lag(1)).isZero();
        assertThat(secondaries.lag(2)).isEqualTo(3);
        assertThat(secondaries.isExtra(3)).isFalse();
    }

    @Test
    void shouldStayExtraWithAnotherVersion() {
        Secondaries secondaries = Secondaries.NONE
                .with(1, 0)
                .with(2, 0)
                .marked(2, true)
                .with(2, 5)
                .with(1, 6);

        assertThat(secondaries.extra()).containsExactly(2);
        assertThat(secondaries.lag(2)).isEqualTo(5);
        assertThat(secondaries.lag(1)).isEqualTo(6);
    }

    @Test
    void shouldCountOnlyCurrentOnesThatStay() {
        Secondaries secondaries =
                Secondaries.NONE.with(1, 0).with(2, 0).with(3, 1).marked(2, true);

        assertThat(secondaries.countCurrent()).isEqualTo(1);
        assertThat(secondaries.current()).containsExactly(1, 2);
        assertThat(secondaries.marked(2, false).countCurrent()).isEqualTo(2);
    }

    @Test
    void shouldForgetWhatIsGone() {
        Secondaries secondaries = Secondaries.NONE
                .with(1, 0)
                .with(2, 0)
                .with(3, 0)
                .marked(1, true)
                .marked(2, true);

        assertThat(secondaries.without(1).extra()).containsExactly(2);
        assertThat(secondaries.without(3).extra()).containsExactly(1, 2);
        assertThat(secondaries.without(1).without(2).extras()).isZero();
    }

    @Test
    void shouldRememberWhatWasSecuredWhenTheOnlyOneIsMarked() {
        Secondaries secondaries = Secondaries.NONE.with(1, 0).securedBy(SECURED);

        assertThat(secondaries.marked(1, true).secured()).isEqualTo(SECURED);
    }

    @Test
    void shouldDifferByWhatIsExtra() {
        Secondaries secondaries = Secondaries.NONE.with(1, 0).with(2, 0);

        assertThat(secondaries.marked(2, true))
                .isNotEqualTo(secondaries)
                .isEqualTo(Secondaries.NONE.with(1, 0).with(2, 0).withExtras(1));
    }
}
