package org.beefs.cli.state;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why something failed, in words: Java's file exceptions often say only the name of the file. */
public final class Reasons {
    private Reasons() {}

    /** Why a file or folder could not be made. What then does not exist is what it was to be made in. */
    public static String ofMaking(Throwable failure) {
        return failure instanceof NoSuchFileException ? "nothing can be made there" : of(failure);
    }

    public static String of(Throwable failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "it does not exist";
            case NotDirectoryException _ -> "it is not a folder";
            case FileAlreadyExistsException _ -> "there is something else of that name";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }
}
