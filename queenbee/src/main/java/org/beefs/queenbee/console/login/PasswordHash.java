package org.beefs.queenbee.console.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is kept of a password: enough to recognise it (PBKDF2 with HMAC-SHA-256).
 *
 * @param iterations how slow it is to try one; kept, so that this may change
 */
public record PasswordHash(String salt, int iterations, String hash) {
    /**
     * Some milliseconds. Hundreds of thousands are for passwords that people think of; those of {@link Secrets} have so
     * many bits that nobody tries them all, however fast, and what is slow here is slow for the queen-bee.
     */
    private static final int ITERATIONS = 10_000;

    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    private static final int BITS = 256;
    private static final int SALT_BYTES = 16;

    /**
     * The hash of a new password.
     *
     * @param random for cryptography
     */
    static PasswordHash of(String password, RandomGenerator random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(encode(salt), ITERATIONS, encode(derive(password, salt, ITERATIONS)));
    }

    /** A hash that is as slow to try as a password's, and that no password has. */
    static PasswordHash ofNone() {
        return new PasswordHash(encode(new byte[SALT_BYTES]), ITERATIONS, "");
    }

    public boolean matches(String password) {
        byte[] derived = derive(password, Base64.getDecoder().decode(salt), iterations);
        return MessageDigest.isEqual(derived, Base64.getDecoder().decode(hash));
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        PBEKeySpec specification = new PBEKeySpec(password.toCharArray(), salt, iterations, BITS);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM)
                    .generateSecret(specification)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        } finally {
            specification.clearPassword();
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
