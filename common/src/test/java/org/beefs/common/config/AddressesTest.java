package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7000", "desk-4.example.org:1", "[0:0:0:0:0:0:0:1]:65535"})
    void shouldWriteWhatItReads(String text) {
        assertThat(Addresses.format(Addresses.parse(text))).isEqualTo(text);
    }

    @Test
    void shouldLeaveANameToBeLookedUpLater() {
        assertThat(Addresses.parse("localhost:7000").isUnresolved()).isTrue();
        assertThat(Addresses.parse("127.0.0.1:7000").isUnresolved()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"desk4", "desk-4.example.org", "10.1.0.7", "2001:db8::1", "::1"})
    void shouldKnowAHostsNameOrAddress(String host) {
        assertThat(Addresses.isHost(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "desk4:7412",
                "desk4.example.org:7412",
                "10.1.0.7:7412",
                "[2001:db8::1]",
                "300.1.1.1",
                "desk 4",
                " desk4",
                "desk4/",
                "pokój"
            })
    void shouldNotTakeAnythingElseForAHost(String text) {
        assertThat(Addresses.isHost(text)).isFalse();
    }

    @Test
    void shouldSayWhichSettingIsNoAddress() {
        Addresses.checkUnlessOff("listen", "off");
        assertThatThrownBy(() -> Addresses.checkUnlessOff("listen", "here"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("listen: 'here' is not an address; write host:port, for example 127.0.0.1:7000, or off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7000", "127.0.0.1", "host:", ":7000", "host:70000", "a b:1", "300.1.1.1:7000"})
    void shouldShowTheRightFormInsteadOfAnythingElse(String text) {
        assertThatThrownBy(() -> Addresses.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not an address; write host:port, for example 127.0.0.1:7000");
    }
}
