package varvite.joern;

import java.util.Optional;
import varvite.error.VarviteException;

/**
 * The reason why the changes of a graph could not be kept in its file, in one line. The file is as it was,
 * and the graph open with its changes.
 */
public final class PersistException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient VarviteException reason;

    PersistException(String message) {
        this(message, null);
    }

    PersistException(String message, VarviteException reason) {
        // The place where it was thrown does not help readers of the line, and Java would print the reason
        // behind it.
        super(message, null, false, false);
        this.reason = reason;
    }

    /** The exception of the commit, with its number; none if the failure came before the commit. */
    public Optional<VarviteException> reason() {
        return Optional.ofNullable(reason);
    }
}
