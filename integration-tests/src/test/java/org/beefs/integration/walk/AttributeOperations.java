package org.beefs.integration.walk;

import java.time.Instant;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.FileMode;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;

/** Operations on attributes. For one thread. */
final class AttributeOperations {
    /** What ext4 can keep, so that the model can be tried there. */
    private static final long EARLIEST_SECOND = -(1L << 31);

    private static final long LATEST_SECOND = 1L << 33;
    private static final int NANOS = 1_000_000_000;

    private final RandomGenerator random;
    private final AttributeModel model;
    private final Paths paths;

    AttributeOperations(RandomGenerator random, Tree tree, Paths paths) {
        this.random = random;
        this.model = new AttributeModel(tree);
        this.paths = paths;
    }

    Operation next(View root) {
        String path = paths.any();
        String name = "user." + random.nextInt(3);
        return switch (random.nextInt(8)) {
            case 0, 1 -> chmod(root, path);
            case 2 -> lchown(root, path);
            case 3, 4 -> utimens(root, path);
            case 5 -> setxattr(root, path, name);
            case 6 -> getxattr(root, path, name);
            default -> removexattr(root, path, name);
        };
    }

    private Operation chmod(View root, String path) {
        // Not sticky: who may follow links and reopen files in a sticky folder is a setting of the kernel.
        int mode = random.nextInt(FileMode.PERMISSIONS + 1) & ~FileMode.STICKY;
        return Operation.of(
                "chmod(%s, %o)".formatted(path, mode),
                () -> model.chmod(path, mode),
                () -> Posix.chmod(root.at(path), mode),
                path);
    }

    private Operation lchown(View root, String path) {
        int owner = random.nextInt(3);
        int group = random.nextInt(3);
        return Operation.of(
                "lchown(%s, %d, %d)".formatted(path, owner, group),
                () -> model.lchown(path, owner, group),
                () -> Posix.lchown(root.at(path), owner, group),
                path);
    }

    private Operation utimens(View root, String path) {
        Instant accessed = time();
        Instant modified = time();
        return Operation.of(
                "utimens(%s, %s, %s)".formatted(path, accessed, modified),
                () -> model.utimens(path, modified),
                () -> Posix.utimens(root.at(path), accessed, modified),
                path);
    }

    private Operation setxattr(View root, String path, String name) {
        byte[] value = new byte[random.nextInt(200)];
        random.nextBytes(value);
        return Operation.of(
                "setxattr(%s, %s, %d bytes)".formatted(path, name, value.length),
                () -> model.setxattr(path, name, value),
                () -> Xattrs.set(root.at(path), name, value),
                path);
    }

    private Operation getxattr(View root, String path, String name) {
        return Operation.asking(
                "getxattr(%s, %s)".formatted(path, name),
                () -> Operation.bytes(model.getxattr(path, name)),
                () -> Operation.bytes(Xattrs.get(root.at(path), name)));
    }

    private Operation removexattr(View root, String path, String name) {
        return Operation.of(
                "removexattr(%s, %s)".formatted(path, name),
                () -> model.removexattr(path, name),
                () -> Xattrs.remove(root.at(path), name),
                path);
    }

    private Instant time() {
        return Instant.ofEpochSecond(random.nextLong(EARLIEST_SECOND, LATEST_SECOND), random.nextInt(NANOS));
    }
}
