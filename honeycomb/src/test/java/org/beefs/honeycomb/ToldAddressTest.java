package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.beefs.common.config.Addresses;
import org.beefs.common.log.LogLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToldAddressTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:7412, 10.1.0.7, 10.1.0.7:7412",
        "[::]:7412, 10.1.0.7, 10.1.0.7:7412",
        "[::]:7412, fd00::7, [fd00:0:0:0:0:0:0:7]:7412",
        "0.0.0.0:7412, 127.0.0.1, 127.0.0.1:7412",
        "10.1.0.7:7412, 192.168.5.9, 10.1.0.7:7412",
        "127.0.0.1:20345, 127.0.0.1, 127.0.0.1:20345",
        "127.0.1.1:7412, 10.1.0.7, 127.0.1.1:7412"
    })
    void shouldTellWhereItListensOrElseWhereItTalksFrom(String listening, String from, String told) {
        ToldAddress address = new ToldAddress(Optional.empty(), Addresses.parse(listening));

        assertThat(address.on(InetAddress.ofLiteral(from))).isEqualTo(told);
        assertThat(address.last()).isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.1.1:7412, 10.1.0.7, set honeycomb.listen to 0.0.0.0:7412",
        "0.0.0.0:7412, 127.0.0.1, set honeycomb.advertise to a name or address of this machine"
    })
    void shouldWarnOnceWhenOthersCannotReachWhatIsTold(String listening, String from, String remedy) {
        List<String> warnings = warnings(listening, from);

        assertThat(warnings).singleElement().asString().contains("where each of them finds only itself", remedy);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:20345, 127.0.0.1", "0.0.0.0:7412, 10.1.0.7", "10.1.0.7:7412, 127.0.0.1"})
    void shouldNotWarnOfWhatOthersReachOrNobodyHasTo(String listening, String from) {
        assertThat(warnings(listening, from)).isEmpty();
    }

    private static List<String> warnings(String listening, String from) {
        try (LogLines log = new LogLines(ToldAddress.class.getName())) {
            ToldAddress address = new ToldAddress(Optional.empty(), Addresses.parse(listening));
            address.on(InetAddress.ofLiteral(from));
            address.on(InetAddress.ofLiteral(from));
            return log.warnings();
        }
    }

    @Test
    void shouldTellWhatItIsToldToTell() {
        ToldAddress address = new ToldAddress(Optional.of("desk4.example.org"), Addresses.parse("0.0.0.0:7412"));

        assertThat(address.on(InetAddress.ofLiteral("10.1.0.7"))).isEqualTo("desk4.example.org:7412");
        assertThat(address.last()).isEqualTo("desk4.example.org:7412");
    }

    @Test
    void shouldTellWhatItToldLastWhileItDoesNotKnowBetter() {
        ToldAddress address = new ToldAddress(Optional.empty(), Addresses.parse("0.0.0.0:7412"));
        assertThat(address.on(null)).isEqualTo("0.0.0.0:7412");
        address.on(InetAddress.ofLiteral("10.1.0.7"));

        assertThat(address.on(null)).isEqualTo("10.1.0.7:7412");
    }
}
