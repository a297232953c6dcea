package org.beefs.queenbee.console.model;

import java.io.IOException;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.wake.Alarm;

/** Wakes desktops that are asleep. Not for the namespace thread, because a network may let it wait. Thread-safe. */
final class Waking {
    private final Questions questions;
    private final Alarm alarm;

    Waking(Questions questions, Alarm alarm) {
        this.questions = questions;
        this.alarm = alarm;
    }

    /**
     * Fails with ENODEV for a desktop without honeycomb, EBUSY for one that is awake, ENXIO for one that cannot be
     * woken.
     */
    void wake(String desktop) {
        WakeAddresses addresses = questions.ask(state -> addresses(state.honeycombs(), desktop));
        try {
            alarm.ring(addresses);
        } catch (IOException e) {
            throw new PosixException(
                    Errno.ENXIO,
                    "no network of %s can be reached from the queen-bee: %s".formatted(desktop, e.getMessage()));
        }
    }

    private static WakeAddresses addresses(Honeycombs honeycombs, String desktop) {
        Honeycomb honeycomb = honeycombs.lastOn(desktop);
        if (honeycomb.isConnected()) {
            throw new PosixException(Errno.EBUSY, desktop + " is awake already");
        }
        if (honeycomb.wake().getCardsCount() == 0) {
            throw new PosixException(
                    Errno.ENXIO,
                    "no hardware address of %s is known: it has told none when it was last here".formatted(desktop));
        }
        return honeycomb.wake();
    }
}
