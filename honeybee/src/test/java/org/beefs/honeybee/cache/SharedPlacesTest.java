package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Layout;
import org.junit.jupiter.api.Test;

class SharedPlacesTest {
    private static final String HONEYCOMB = "sixteen bytes id";

    private final SharedPlaces places = new SharedPlaces();

    @Test
    void shouldKeepTheWordsForAHoneycombOnce() {
        Layout first = places.shared(layout("desk:1"));

        Layout second = places.shared(layout("desk:1"));

        assertThat(second).isEqualTo(layout("desk:1"));
        assertThat(second.getHoneycomb()).isSameAs(first.getHoneycomb());
        assertThat(second.getAddress()).isSameAs(first.getAddress());
        assertThat(second.getSecondaries(0)).isSameAs(first.getSecondaries(0));
    }

    @Test
    void shouldNameWhereAHoneycombIsNow() {
        places.shared(layout("desk:1"));

        assertThat(places.shared(layout("desk:2"))).isEqualTo(layout("desk:2"));
        assertThat(places.shared(layout("desk:2")).getAddress())
                .as("and keep that from then on")
                .isSameAs(places.shared(layout("desk:2")).getAddress());
    }

    /** Each with words of its own, as messages bring them. */
    private static Layout layout(String address) {
        Layout.Builder layout = Layout.newBuilder()
                .setHoneycomb(ByteString.copyFromUtf8(HONEYCOMB))
                .setAddress(copied(address))
                .setDesktop(copied("desk"));
        layout.addSecondariesBuilder()
                .setHoneycomb(ByteString.copyFromUtf8("another one's id"))
                .setAddress(copied(address))
                .setDesktop(copied("other"));
        return layout.build();
    }

    private static String copied(String text) {
        return ByteString.copyFromUtf8(text).toStringUtf8();
    }
}
