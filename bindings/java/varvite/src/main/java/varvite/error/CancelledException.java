package varvite.error;

/**
 * A search or a walk was given up, because its thread was interrupted, or because the program cancelled it.
 * The thread's interrupt status is still set, as an unchecked exception leaves it.
 */
public final class CancelledException extends VarviteException {
    private static final long serialVersionUID = 1;

    /**
     * A search that was given up.
     *
     * @param what the searched column or graph
     */
    public CancelledException(String what) {
        super("the search of " + what + " was cancelled: its thread was interrupted", null);
    }

    /**
     * A walk that was given up.
     *
     * @param isInterrupted whether its thread was interrupted; else it was cancelled
     */
    public CancelledException(boolean isInterrupted) {
        super(isInterrupted ? "the walk was cancelled: its thread was interrupted" : "the walk was cancelled", null);
    }

    @Override
    public int number() {
        return -36;
    }
}
