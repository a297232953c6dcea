package org.beefs.cli.terminal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Text in columns: a heading, rows, each column as wide as its widest cell, numbers to the right. On a terminal that is
 * too narrow for that, cells of the widest columns go on in further lines. Not thread-safe.
 */
public final class Table {
    private static final String GAP = "  ";

    /** Below that a column is not readable; what is wider than the terminal then is left to it. */
    private static final int NARROWEST = 12;

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    /** Of the table that this one goes on with; none for one that begins. */
    private final List<Column> before;

    /** As it was shown last. */
    private List<Column> shown = List.of();

    public Table(String... headings) {
        this.columns = headings.length;
        List<String> upperCase = new ArrayList<>();
        for (String heading : headings) {
            upperCase.add(heading.toUpperCase(Locale.ROOT));
        }
        rows.add(upperCase);
        before = List.of();
    }

    private Table(List<String> headings, List<Column> before) {
        this.columns = headings.size();
        this.before = before;
        rows.add(headings);
    }

    /** What comes below it when it has been shown: has no heading, and columns that are not narrower where it fits. */
    public Table continued() {
        return new Table(rows.getFirst(), shown);
    }

    /** Adds a row with one cell per heading. What could command the terminal in it is made {@link Visible}. */
    public void add(String... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
        }
        rows.add(Stream.of(cells).map(Visible::of).toList());
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The lines, each ended by a newline, without spaces at the ends. */
    public String render() {
        return render(Terminal.width());
    }

    /** The same for another width. */
    String render(int width) {
        List<Column> layout = IntStream.range(0, columns)
                .mapToObj(column ->
                        Column.of(rows.stream().map(row -> row.get(column)).toList()))
                .toList();
        if (!before.isEmpty()) {
            List<Column> own = layout;
            layout = IntStream.range(0, columns)
                    .mapToObj(column -> before.get(column).with(own.get(column)))
                    .toList();
        }
        shown = fitted(layout, width);
        StringBuilder text = new StringBuilder();
        for (List<String> row : before.isEmpty() ? rows : rows.subList(1, rows.size())) {
            append(text, shown, row);
        }
        return text.toString();
    }

    /** The widest ones give way, as far as they can. */
    private static List<Column> fitted(List<Column> layout, int width) {
        List<Column> fitted = new ArrayList<>(layout);
        int tooMuch = fitted.stream().mapToInt(Column::width).sum() + GAP.length() * (fitted.size() - 1) - width;
        while (tooMuch > 0) {
            int widest = IntStream.range(0, fitted.size())
                    .boxed()
                    .max((a, b) ->
                            Integer.compare(fitted.get(a).slack(), fitted.get(b).slack()))
                    .orElseThrow();
            if (fitted.get(widest).slack() == 0) {
                break;
            }
            fitted.set(widest, fitted.get(widest).narrower());
            tooMuch--;
        }
        return fitted;
    }

    private static void append(StringBuilder text, List<Column> layout, List<String> row) {
        List<List<String>> cells = IntStream.range(0, row.size())
                .mapToObj(column ->
                        Screen.pieces(row.get(column), layout.get(column).width()))
                .toList();
        int lines = Collections.max(cells.stream().map(List::size).toList());
        for (int line = 0; line < lines; line++) {
            List<String> padded = new ArrayList<>();
            for (int column = 0; column < layout.size(); column++) {
                List<String> pieces = cells.get(column);
                padded.add(layout.get(column).pad(line < pieces.size() ? pieces.get(line) : ""));
            }
            text.append(String.join(GAP, padded).stripTrailing()).append('\n');
        }
    }

    private record Column(int width, boolean right) {
        static Column of(List<String> cells) {
            int width = Collections.max(cells.stream().map(Screen::width).toList());
            List<String> below = cells.subList(1, cells.size());
            boolean numbers = below.stream().allMatch(cell -> cell.matches("-|\\d+(\\.\\d+)?( ?([KMGTPE]i)?[B%s])?"));
            return new Column(width, numbers);
        }

        /** For what comes below it, and has more in it perhaps. */
        Column with(Column below) {
            return new Column(Math.max(width, below.width), right);
        }

        /** By how much it can be narrower; numbers are not broken. */
        int slack() {
            return right ? 0 : Math.max(0, width - NARROWEST);
        }

        Column narrower() {
            return new Column(width - 1, right);
        }

        String pad(String cell) {
            String spaces = " ".repeat(width - Screen.width(cell));
            return right ? spaces + cell : cell + spaces;
        }
    }
}
