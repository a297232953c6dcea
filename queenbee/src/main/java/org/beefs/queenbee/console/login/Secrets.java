package org.beefs.queenbee.console.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Random words that nobody can guess, and what is kept of them. */
final class Secrets {
    private static final int BYTES = 32;

    /** Without letters that look alike. */
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

    private static final int PASSWORD_GROUPS = 5;
    private static final int PASSWORD_GROUP = 4;

    private Secrets() {}

    /** 256 bits, for programs. */
    static String random(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** 100 bits that people can type. */
    static String password(RandomGenerator random) {
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < PASSWORD_GROUPS * PASSWORD_GROUP; i++) {
            if (i > 0 && i % PASSWORD_GROUP == 0) {
                password.append('-');
            }
            password.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return password.toString();
    }

    /** What is kept of {@link #random}: that has so many bits that a fast hash is enough. */
    static String hash(String secret) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
