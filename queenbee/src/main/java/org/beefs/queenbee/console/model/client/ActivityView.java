package org.beefs.queenbee.console.model.client;

import java.util.List;

/**
 * Who asks what of the queen-bee. Two of these tell how much it is in between.
 *
 * @param millis when this was so, by a clock that only goes on
 * @param asked who has asked anything
 */
public record ActivityView(long millis, List<Asked> asked) {}
