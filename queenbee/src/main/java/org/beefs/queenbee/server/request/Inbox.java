package org.beefs.queenbee.server.request;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Requests and events that wait for the namespace thread. Thread-safe. Requests are bounded; events (timers, ended
 * flushes, answers of desktops) are bounded by what is under way. Events are taken first, but for answers that must not
 * overtake what their desktop has asked before.
 */
public final class Inbox {
    private final int maxRequests;
    private final Runnable wake;
    private final Queue<Runnable> requests = new ArrayDeque<>();
    private List<Runnable> events = new ArrayList<>();

    /** @param wake called after something has come */
    public Inbox(int maxRequests, Runnable wake) {
        this.maxRequests = maxRequests;
        this.wake = wake;
    }

    /** Takes a request in; false when the queue is full. */
    public boolean offer(Runnable request) {
        synchronized (this) {
            if (requests.size() >= maxRequests) {
                return false;
            }
            requests.add(request);
        }
        wake.run();
        return true;
    }

    public void post(Runnable event) {
        synchronized (this) {
            events.add(event);
        }
        wake.run();
    }

    /** An event that comes behind all requests that have come before it. */
    public void postBehind(Runnable event) {
        synchronized (this) {
            requests.add(event);
        }
        wake.run();
    }

    public synchronized List<Runnable> takeEvents() {
        List<Runnable> taken = events;
        events = new ArrayList<>();
        return taken;
    }

    /** Requests, and the events behind them. */
    public synchronized List<Runnable> takeRequests(int limit) {
        List<Runnable> taken = new ArrayList<>(Math.min(limit, requests.size()));
        while (taken.size() < limit && !requests.isEmpty()) {
            taken.add(requests.remove());
        }
        return taken;
    }

    public synchronized boolean isEmpty() {
        return requests.isEmpty() && events.isEmpty();
    }
}
