package org.beefs.queenbee.console.model.file;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import org.beefs.common.config.ByteSize;

/**
 * What a tree takes. Its JSON is an interface: fields are added, never renamed.
 *
 * @param path of its top
 * @param total of all that is in it, its top included
 * @param parts what is directly in it, the largest first; a bounded number of them
 * @param others what is directly in it and not named in {@code parts}
 */
public record Usage(String path, Amount total, List<Part> parts, Amount others) {
    /** An entry of the top, with all that is below it. */
    public record Part(String name, long inode, boolean directory, Amount amount) {}

    /**
     * How much that is.
     *
     * @param files all that are no directories; one with several names counts once, with the first that is found
     * @param bytes that they are long
     * @param stored bytes that their replicas take on all desktops together
     */
    public record Amount(long files, long directories, long bytes, long stored) {
        static final Amount NOTHING = new Amount(0, 0, 0, 0);

        @JsonIgnore
        public boolean isNothing() {
            return equals(NOTHING);
        }

        Amount plus(Amount other) {
            return new Amount(
                    files + other.files,
                    directories + other.directories,
                    ByteSize.sum(bytes, other.bytes),
                    ByteSize.sum(stored, other.stored));
        }
    }
}
