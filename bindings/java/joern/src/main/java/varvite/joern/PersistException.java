package varvite.joern;

import java.util.Optional;
import varvite.error.VarviteException;

/**
 * The changes of a graph could not be kept in its file; the message has the reason in one line. The file is
 * unchanged, and the graph stays open with its changes.
 */
public final class PersistException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient VarviteException reason;

    PersistException(String message) {
        this(message, null);
    }

    PersistException(String message, VarviteException reason) {
        // No stack trace and no cause: they would not help users, and Java would print the cause after the
        // message.
        super(message, null, false, false);
        this.reason = reason;
    }

    /**
     * The exception of the commit, which has an error number; empty if the failure came before the commit.
     */
    public Optional<VarviteException> reason() {
        return Optional.ofNullable(reason);
    }
}
