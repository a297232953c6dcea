/**
 * The session with the queen-bee, and what she is asked in it; one for each desktop, shared by its mounts and its
 * honeycomb. Outsiders make a {@link QueenSession}, and ask through {@link QueenProxy} and {@link Metadata}. Inside,
 * each of these knows only those before it:
 *
 * <ul>
 *   <li>What a registration brings: {@code OpenRegistry}, {@code UntoldOpens}, {@code AnsweredChanges},
 *       {@link DecidedLog}; with what else a session has in common these are its {@code SessionParts}.
 *   <li>Being registered: {@code Registration}, {@code Heartbeats}, {@code InventoryReport}, and by these the right to
 *       change contents ({@code WriteTerm}, {@link WriteRight}).
 *   <li>One request until it is answered, whatever happens to connections: {@code QueenCall}.
 *   <li>What is asked: {@code Changes}, {@code DecidedChanges} that were made here before, {@code OpenCalls},
 *       {@link LockRequests}; and what she asks: {@code DesktopService}.
 * </ul>
 *
 * <p>A change is carried out at most once, and what was answered is not lost. Thread-safe; no thread waits.
 */
@NullMarked
package org.beefs.honeybee.queen;

import org.jspecify.annotations.NullMarked;
