package varvite.error;

/**
 * A search or a walk ended early because its thread was interrupted or the program cancelled it. If the
 * thread was interrupted, its interrupt status is still set.
 */
public final class CancelledException extends VarviteException {
    private static final long serialVersionUID = 1;

    /**
     * Makes the exception for a search that was cancelled.
     *
     * @param what the searched column or graph
     */
    public CancelledException(String what) {
        super("the search of " + what + " was cancelled: its thread was interrupted", null);
    }

    /**
     * Makes the exception for a walk that was cancelled.
     *
     * @param isInterrupted whether the walk's thread was interrupted; if not, the program cancelled the walk
     */
    public CancelledException(boolean isInterrupted) {
        super(isInterrupted ? "the walk was cancelled: its thread was interrupted" : "the walk was cancelled", null);
    }

    @Override
    public int number() {
        return -36;
    }
}
