package org.beefs.queenbee.console.web;

import java.util.Set;

/** A piece of HTML. Text becomes a part of it only escaped, whatever it is made of. Immutable. */
final class Html {
    static final Html NOTHING = new Html("");

    private static final Set<String> WITHOUT_END = Set.of("meta", "link", "input", "br");

    private final String text;

    private Html(String text) {
        this.text = text;
    }

    /** An attribute of an element. */
    record Attribute(String name, String value) {}

    static Attribute attribute(String name, Object value) {
        return new Attribute(name, String.valueOf(value));
    }

    static Attribute css(String names) {
        return new Attribute("class", names);
    }

    /**
     * An element.
     *
     * @param parts its attributes and what is in it: HTML, iterables of parts, and anything else as text
     */
    static Html tag(String name, Object... parts) {
        StringBuilder attributes = new StringBuilder();
        StringBuilder content = new StringBuilder();
        for (Object part : parts) {
            if (part instanceof Attribute attribute) {
                attributes.append(' ').append(attribute.name).append("=\"");
                escape(attribute.value, attributes);
                attributes.append('"');
            } else {
                append(part, content);
            }
        }
        String end = WITHOUT_END.contains(name) ? "" : "</" + name + ">";
        return new Html("<" + name + attributes + ">" + content + end);
    }

    /** Parts one after another. */
    static Html all(Object... parts) {
        StringBuilder content = new StringBuilder();
        for (Object part : parts) {
            append(part, content);
        }
        return new Html(content.toString());
    }

    static Html link(String target, Object... parts) {
        return tag("a", attribute("href", target), all(parts));
    }

    /** A whole document with this root element. */
    String document() {
        return "<!doctype html>\n" + text;
    }

    @Override
    public String toString() {
        return text;
    }

    private static void append(Object part, StringBuilder content) {
        if (part instanceof Html html) {
            content.append(html.text);
        } else if (part instanceof Iterable<?> several) {
            several.forEach(one -> append(one, content));
        } else {
            escape(String.valueOf(part), content);
        }
    }

    /** Also what a terminal or a browser would take for a command: control characters become visible. */
    private static void escape(String text, StringBuilder escaped) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(visible(character));
            }
        }
    }

    private static char visible(char character) {
        if (character < ' ') {
            return (char) ('\u2400' + character);
        }
        if (character == 0x7f) {
            return '\u2421';
        }
        boolean turnsText =
                (character >= '\u202a' && character <= '\u202e') || (character >= '\u2066' && character <= '\u2069');
        return turnsText || Character.isISOControl(character) ? '\ufffd' : character;
    }
}
