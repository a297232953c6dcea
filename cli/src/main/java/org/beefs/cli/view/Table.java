package org.beefs.cli.view;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Text in columns: a heading, rows, each column as wide as its widest cell, numbers to the right. Not thread-safe. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    public Table(String... headings) {
        this.columns = headings.length;
        List<String> upperCase = new ArrayList<>();
        for (String heading : headings) {
            upperCase.add(heading.toUpperCase(Locale.ROOT));
        }
        rows.add(upperCase);
    }

    /** Adds a row with one cell per heading. */
    public void add(String... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
        }
        rows.add(List.of(cells));
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The lines, each ended by a newline, without spaces at the ends. */
    public String render() {
        List<Column> layout = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            layout.add(Column.of(cells(column)));
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < columns; column++) {
                cells.add(layout.get(column).pad(row.get(column)));
            }
            text.append(String.join(GAP, cells).stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private List<String> cells(int column) {
        return rows.stream().map(row -> row.get(column)).toList();
    }

    private record Column(int width, boolean right) {
        static Column of(List<String> cells) {
            int width = Collections.max(cells.stream().map(String::length).toList());
            List<String> below = cells.subList(1, cells.size());
            boolean numbers = below.stream().allMatch(cell -> cell.matches("-|\\d+(\\.\\d+)?( ?([KMGTPE]i)?[B%s])?"));
            return new Column(width, numbers);
        }

        String pad(String cell) {
            String spaces = " ".repeat(width - cell.length());
            return right ? spaces + cell : cell + spaces;
        }
    }
}
