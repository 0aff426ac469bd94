package varvite.joern;

import java.util.Optional;
import varvite.error.VarviteException;

/**
 * Thrown if the changes of a graph could not be kept in its file. The message has the reason in one line. The
 * file is unchanged, and the graph stays open with its changes.
 */
public final class PersistException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient VarviteException reason;

    PersistException(String message) {
        this(message, null);
    }

    PersistException(String message, VarviteException reason) {
        // Without a stack trace and a cause: they would not help users, and Java would print the cause after
        // the message.
        super(message, null, false, false);
        this.reason = reason;
    }

    /**
     * The exception of the failed commit, which has an error number; empty if the failure occurred before the
     * commit.
     */
    public Optional<VarviteException> reason() {
        return Optional.ofNullable(reason);
    }
}
