package org.beefs.common.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses of hosts as people write them: {@code 127.0.0.1:7000}, {@code desk4.example.org:7001}, {@code [::1]:7000}.
 */
public final class Addresses {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9a-fA-F:.%\\w]+)]|([\\w.-]+)):(\\d{1,5})");
    private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|.*:.*");
    private static final int MAX_PORT = 65535;

    /** The word that stands for nowhere, in place of an address. */
    public static final String OFF = "off";

    private Addresses() {}

    /** The address, as {@link #parse}; empty for {@link #OFF}. */
    public static Optional<InetSocketAddress> parseUnlessOff(String text) {
        return text.equals(OFF) ? Optional.empty() : Optional.of(parse(text));
    }

    /** Throws as {@link #parse}, with the key in front, unless the setting is an address or {@link #OFF}. */
    public static void checkUnlessOff(String key, String text) {
        try {
            parseUnlessOff(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage() + ", or " + OFF, e);
        }
    }

    /**
     * A number is an address at once; a name stays unresolved until somebody connects, because it may change.
     *
     * <p>Throws {@link IllegalArgumentException} with a sentence that shows the right form.
     */
    public static InetSocketAddress parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > MAX_PORT) {
            throw wrong(text);
        }
        String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        int port = Integer.parseInt(matcher.group(3));
        if (!NUMERIC.matcher(host).matches()) {
            return InetSocketAddress.createUnresolved(host, port);
        }
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(host), port);
        } catch (IllegalArgumentException e) {
            throw wrong(text);
        }
    }

    /** Whether it is a host's name or address, without a port and brackets: others can parse what is made of it. */
    public static boolean isHost(String text) {
        try {
            parse(format(InetSocketAddress.createUnresolved(text, MAX_PORT)));
            return text.equals(text.strip());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    public static String format(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not an address; write host:port, for example 127.0.0.1:7000");
    }
}
