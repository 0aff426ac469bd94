package varvite.error;

/**
 * A walk needs more memory than its arena may hold, so that its results so far are incomplete; or graphs need
 * more memory than their shared budget allows.
 */
public final class OverBudgetException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final long limit;
    private final long needed;

    /**
     * Makes the exception for a walk that needs more memory than its arena may hold.
     *
     * @param limit the budget in bytes
     * @param needed the least number of bytes that would suffice
     */
    public OverBudgetException(long limit, long needed) {
        super(
                "the walk needs " + needed + " bytes, the budget is " + limit
                        + ": go depth-first, limit the depth, or raise the budget",
                null);
        this.limit = limit;
        this.needed = needed;
    }

    private OverBudgetException(String message, long limit, long needed) {
        super(message, null);
        this.limit = limit;
        this.needed = needed;
    }

    /** Makes the exception for graphs that need more memory than their shared budget allows. */
    public static OverBudgetException ofGraphs(long limit, long needed) {
        String message = "the graphs together would hold " + needed + " bytes, the budget is " + limit
                + ": close some of them, map their files, or raise the budget";
        return new OverBudgetException(message, limit, needed);
    }

    /** The budget in bytes. */
    public long limit() {
        return limit;
    }

    /** The least number of bytes that would suffice. */
    public long needed() {
        return needed;
    }

    @Override
    public int number() {
        return -35;
    }
}
