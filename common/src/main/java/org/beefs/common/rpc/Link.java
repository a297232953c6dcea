package org.beefs.common.rpc;

import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection that carries frames in order until it breaks, as TCP does. Thread-safe. */
public interface Link {
    /**
     * A link on which more bytes than this wait to be sent is congested; twice as many break it. Slices of files count
     * nothing.
     */
    long CONGESTED_BYTES = 32L << 20;

    /** How long {@link #sendUnhurried} may hold a frame back. */
    int UNHURRIED_MILLIS = 5;

    /**
     * Sends a frame without waiting, and takes its payload over. On a broken link the frame is dropped silently: the
     * listener hears of the break.
     */
    void send(Frame frame);

    /**
     * As {@link #send} for a frame that nobody waits for: it may leave together with the next one, after at most
     * {@link #UNHURRIED_MILLIS}. So it wakes neither side by itself. The order of frames is kept.
     */
    default void sendUnhurried(Frame frame) {
        send(frame);
    }

    /** As {@link #send} or, for what nobody waits for, {@link #sendUnhurried}. */
    default void send(Frame frame, boolean hurried) {
        if (hurried) {
            send(frame);
        } else {
            sendUnhurried(frame);
        }
    }

    /** Whether so much waits to be sent that new requests should be made later. A link that never queues says no. */
    default boolean isCongested() {
        return false;
    }

    /**
     * How long nothing has come from the other side, nor has its system taken anything of what is on its way there. So
     * who has been stopped is silent, and who is sent something by a slow network is not. For ever on a link that does
     * not know.
     */
    default Duration silence() {
        return Duration.ofNanos(Long.MAX_VALUE);
    }

    /** Closes it after sending what was handed over before; the listener hears of it. Harmless when called again. */
    void close();

    /**
     * As {@link #close}; but what the other side's system has not taken yet is not sent. A link that was closed before
     * goes on sending for as long as the close lingers: it may carry the reason for people, and no request that is sent
     * again and could be carried out.
     */
    default void cut() {
        close();
    }

    /**
     * Stops or resumes taking frames from the other side: back-pressure for a receiver with too much work. Frames that
     * had come already are still handed to the listener.
     */
    void setReading(boolean reading);

    /** The other end, for messages to people. */
    String peer();

    /** This machine's end: the address by which the other one sees it. Null when it is not known any more. */
    default @Nullable InetAddress localAddress() {
        return null;
    }

    /** Hears what happens on a link. Called by one thread at a time, in order. */
    interface Listener {
        /** A frame came. The listener takes its payload over, and does not block. */
        void received(Frame frame);

        /**
         * All frames that had come were handed over, so far as the link takes them at once: other links get their turn
         * before the next.
         */
        default void receivedAll() {}

        /** The link is closed or broken; nothing comes any more. Called exactly once. */
        void closed(String reason);
    }
}
