package varvite.joern;

/** A graph that this program's schema cannot say: made with another one, or changed beyond it. */
public final class ForeignGraphException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ForeignGraphException(String message) {
        super(message);
    }
}
