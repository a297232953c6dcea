package org.beefs.queenbee.wake;

import com.google.protobuf.ByteString;
import java.util.Collections;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.WakeAddresses;

/**
 * What a sleeping network card listens for, by the AMD white paper 20213: six bytes FF, then its own address sixteen
 * times.
 */
public final class MagicPacket {
    /** Of a desktop, each of cards and networks. */
    public static final int MOST_ADDRESSES = 8;

    /** Bytes of a card's hardware address. */
    public static final int CARD_LENGTH = 6;

    /** Bytes of a network's broadcast address, which is one of IPv4. */
    public static final int BROADCAST_LENGTH = 4;

    private static final int REPETITIONS = 16;
    private static final ByteString START = ByteString.copyFrom(new byte[] {-1, -1, -1, -1, -1, -1});

    private MagicPacket() {}

    /** @param card a checked hardware address */
    static ByteString to(ByteString card) {
        return START.concat(ByteString.copyFrom(Collections.nCopies(REPETITIONS, card)));
    }

    /** Fails when a packet cannot be made of these, or too many. */
    public static void check(WakeAddresses addresses) {
        boolean few = addresses.getCardsCount() <= MOST_ADDRESSES && addresses.getBroadcastsCount() <= MOST_ADDRESSES;
        boolean whole = addresses.getCardsList().stream().allMatch(card -> card.size() == CARD_LENGTH)
                && addresses.getBroadcastsList().stream().allMatch(address -> address.size() == BROADCAST_LENGTH);
        if (!few || !whole) {
            throw new PosixException(
                    Errno.EINVAL,
                    "a desktop is woken by at most %d hardware addresses of %d bytes in as many networks"
                            .formatted(MOST_ADDRESSES, CARD_LENGTH));
        }
    }
}
