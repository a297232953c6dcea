package org.beefs.queenbee.console.login;

import java.util.concurrent.atomic.AtomicReference;

/** Somebody who has logged in. Thread-safe. */
public final class WebSession {
    private final String account;
    private final String csrf;
    private final long began;
    private final AtomicReference<Note> note = new AtomicReference<>(Note.NONE);
    private volatile long used;

    WebSession(String account, String csrf, long now) {
        this.account = account;
        this.csrf = csrf;
        began = now;
        used = now;
    }

    public String account() {
        return account;
    }

    /** A word that forms of this session have, and other sites do not know. */
    public String csrf() {
        return csrf;
    }

    /** What the next page says, once. */
    public void setNote(Note said) {
        note.set(said);
    }

    public Note takeNote() {
        return note.getAndSet(Note.NONE);
    }

    long began() {
        return began;
    }

    long used() {
        return used;
    }

    void use(long now) {
        used = now;
    }
}
