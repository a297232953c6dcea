package org.beefs.cli.view;

import java.util.List;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.terminal.Table;
import org.beefs.common.config.ByteSize;

/**
 * What {@code df} shows, and its JSON: fields are added, never renamed.
 *
 * @param hive with what users can store
 * @param honeycombs with what each desktop gives
 */
public record SpaceReport(HiveSummary hive, List<HoneycombStatus> honeycombs) implements Report {
    @Override
    public String render() {
        Table users = new Table("files of users", "capacity", "used", "available");
        users.add(
                "hive",
                new ByteSize(hive.capacity()).toString(),
                new ByteSize(Math.max(0, hive.capacity() - hive.available())).toString(),
                new ByteSize(hive.available()).toString());
        Table raw = new Table("replicas on", "capacity", "used", "available", "");
        for (HoneycombStatus honeycomb : honeycombs) {
            raw.add(
                    honeycomb.desktop(),
                    new ByteSize(honeycomb.capacity()).toString(),
                    new ByteSize(honeycomb.used()).toString(),
                    new ByteSize(honeycomb.available()).toString(),
                    StatusView.remark(honeycomb));
        }
        String lacking = CopiesView.lacking(hive).strip();
        return users.render() + "\n" + raw.render() + (lacking.isEmpty() ? "" : "\n" + lacking + "\n");
    }
}
