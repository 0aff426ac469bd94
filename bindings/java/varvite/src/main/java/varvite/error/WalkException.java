package varvite.error;

/** A walk is refused because of its description or because of the cost of an edge. */
public final class WalkException extends VarviteException {
    private static final long serialVersionUID = 1;

    /** The reason why the walk is refused. */
    public enum Reason {
        /** Evaluators contradict each other: together they allow no depth. */
        CONTRADICTION,
        /** The walk follows no edge. */
        NO_HOP,
        /** The walk follows more edge labels and directions than it can number. */
        TOO_MANY_WAYS,
        /** The cost of an edge is negative or not a number. */
        NEGATIVE_COST,
        /** An edge has no value of the cost property. */
        NO_COST
    }

    private final Reason reason;

    private WalkException(Reason reason, String message) {
        super(message, null);
        this.reason = reason;
    }

    /**
     * Makes the exception for evaluators that require at least {@code least} edges but at most {@code most},
     * which is less.
     */
    public static WalkException contradiction(int least, int most) {
        return new WalkException(
                Reason.CONTRADICTION,
                "no branch can be a result: evaluators require at least " + least + " edges and at most " + most);
    }

    /** Makes the exception for a walk that follows no edge. */
    public static WalkException noHop() {
        return new WalkException(Reason.NO_HOP, "the walk follows no edge: add a hop, or let a function expand it");
    }

    /** Makes the exception for a walk along more than {@code limit} kinds of edges. */
    public static WalkException tooManyWays(int limit) {
        return new WalkException(
                Reason.TOO_MANY_WAYS, "the walk follows more than " + limit + " kinds of edges: name fewer edge labels");
    }

    /** Makes the exception for an edge from {@code node} whose cost is invalid. */
    public static WalkException negativeCost(int node, double cost) {
        return new WalkException(
                Reason.NEGATIVE_COST,
                "an edge from node " + node + " costs " + cost + ": costs must be numbers of 0 or more");
    }

    /** Makes the exception for an edge from {@code node} that has no value of the cost property. */
    public static WalkException noCost(int node, String property) {
        return new WalkException(
                Reason.NO_COST,
                "an edge from node " + node + " has no " + property + ": give a cost for edges without one");
    }

    /** The reason why the walk is refused. */
    public Reason reason() {
        return reason;
    }

    @Override
    public int number() {
        return -2;
    }
}
