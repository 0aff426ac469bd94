package varvite.error;

/**
 * A search was given up, because its thread was interrupted. The thread's interrupt status is still set, as an unchecked exception
 * leaves it.
 */
public final class CancelledException extends VarviteException {
    private static final long serialVersionUID = 1;

    /**
     * A search that was given up.
     *
     * @param what what was searched
     */
    public CancelledException(String what) {
        super("the search of " + what + " was given up: its thread was interrupted", null);
    }

    @Override
    public int number() {
        return -36;
    }
}
