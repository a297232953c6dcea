package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.common.wire.Layout;

/**
 * Lets all layouts that are kept have the same few words for the honeycombs that they name, of which each message brings its own. Guarded by the cache's lock.
 */
final class SharedPlaces {
    /** Honeycombs at a time; those not seen for longest go first. */
    private static final int MOST = 256;

    private final Map<ByteString, Layout> byHoneycomb = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, Layout> eldest) {
            return size() > MOST;
        }
    };

    Layout shared(Layout layout) {
        Layout known = byHoneycomb.get(layout.getHoneycomb());
        if (known == null
                || !known.getAddress().equals(layout.getAddress())
                || !known.getDesktop().equals(layout.getDesktop())) {
            byHoneycomb.put(layout.getHoneycomb(), layout);
            return layout;
        }
        return layout.toBuilder()
                .setHoneycomb(known.getHoneycomb())
                .setAddress(known.getAddress())
                .setDesktop(known.getDesktop())
                .build();
    }
}
