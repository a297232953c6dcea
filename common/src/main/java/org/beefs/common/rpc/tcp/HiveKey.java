package org.beefs.common.rpc.tcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.beefs.common.file.Draft;

/**
 * The secret that the processes of one hive share: who has it may talk with them. Kept in a file that only its owner,
 * and a group of his choice, may read. Thread-safe.
 */
public final class HiveKey {
    /** Name of the file, in the state folder of each part of the hive. */
    public static final String FILE = "hive.key";

    /** Characters of the shortest key that is taken: 128 bits in hexadecimal digits. */
    private static final int SHORTEST = 32;

    private static final int RANDOM_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private HiveKey(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * Reads the file: one line, whose ends do not count. Fails with {@link IOException} and a sentence for people when
     * others may read it, too, or it is too short to be a secret.
     */
    public static HiveKey read(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("the hive's key in %s is open to everybody: chmod 600 it".formatted(file));
        }
        String line = Files.readString(file).strip();
        if (line.length() < SHORTEST) {
            throw new IOException("the hive's key in %s has %d characters, and must have %d at least"
                    .formatted(file, line.length(), SHORTEST));
        }
        return new HiveKey(line.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes the file with a new key, for its owner only. Fails when there is one. It is whole or not there, also when
     * the power fails or the disk is full: half a key would be refused for ever. One caller at a time.
     */
    public static void create(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        byte[] secret = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(secret);
        FileAttribute<?> ownersOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        String line = Base64.getEncoder().encodeToString(secret) + "\n";
        Draft.replace(file, line.getBytes(StandardCharsets.US_ASCII), ownersOnly);
    }

    /** A proof of knowing the key: nobody without it can say this about these words. */
    byte[] proof(byte[]... words) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (byte[] word : words) {
                mac.update(word);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }
}
