package varvite.joern;

/**
 * Thrown for a graph that does not fit this program's schema, because it was made or changed with another
 * schema.
 */
public final class ForeignGraphException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ForeignGraphException(String message) {
        super(message);
    }
}
