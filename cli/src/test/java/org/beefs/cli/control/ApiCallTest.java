package org.beefs.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApiCallTest {
    @Test
    void shouldNameWhoHasBecomeRoot() {
        assertThat(caller("maria", "root")).isEqualTo("maria (as root)");
        assertThat(caller(null, "root")).isEqualTo("root");
    }

    @Test
    void shouldNotTakeAnotherNameFromWhoIsNotRoot() {
        assertThat(caller("maria", "bob")).isEqualTo("bob");
    }

    @Test
    void shouldNotTakeForANameWhatIsNone() {
        assertThat(caller("maria\nroot", "root")).isEqualTo("root");
    }

    private static String caller(@Nullable String sudoUser, String user) {
        return new ApiCall("GET", "/api/v1/hive", Map.of(), "", sudoUser).caller(user);
    }
}
