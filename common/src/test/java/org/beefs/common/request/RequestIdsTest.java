package org.beefs.common.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestIdsTest {
    @Test
    void shouldMakeIdsThatAreTheProcesssOwn() {
        RequestIds one = new RequestIds(0x1234567_89ABCDEF0L);
        RequestIds other = new RequestIds(0x7654321_000000000L);

        assertThat(RequestIds.text(one.next())).isEqualTo("1234567000000001");
        assertThat(RequestIds.text(one.next())).isEqualTo("1234567000000002");
        assertThat(RequestIds.text(other.next())).isEqualTo("7654321000000001");
        assertThat(RequestIds.text(RequestIds.of(5).next())).isEqualTo("0000005000000001");
    }

    @Test
    void shouldGoOnWithARequestThatThereIs() {
        RequestIds ids = new RequestIds(0);
        List<Long> made = new ArrayList<>();

        CurrentRequest.run(7, () -> made.add(ids.currentOrNext()));
        made.add(ids.currentOrNext());

        assertThat(made).containsExactly(7L, 1L);
    }
}
