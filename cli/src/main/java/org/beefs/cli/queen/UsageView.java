package org.beefs.cli.queen;

import org.beefs.cli.terminal.Table;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.console.model.file.Usage;
import org.beefs.queenbee.console.model.file.Usage.Amount;
import org.beefs.queenbee.console.model.file.Usage.Part;

/** What a tree takes, for people. */
final class UsageView {
    private UsageView() {}

    /** A table of what is in it, the largest first, and at last the whole. */
    static String render(Usage usage) {
        Table table = new Table("size", "stored", "files", "directories", "name");
        for (Part part : usage.parts()) {
            add(table, part.amount(), part.name() + (part.directory() ? "/" : ""));
        }
        if (!usage.others().isNothing()) {
            add(table, usage.others(), "(all others)");
        }
        add(table, usage.total(), usage.path());
        return table.render();
    }

    private static void add(Table table, Amount amount, String name) {
        table.add(
                new ByteSize(amount.bytes()).toString(),
                new ByteSize(amount.stored()).toString(),
                Long.toString(amount.files()),
                Long.toString(amount.directories()),
                name);
    }
}
