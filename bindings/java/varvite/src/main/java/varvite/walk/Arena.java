package varvite.walk;

/**
 * Reusable memory for walks: a second walk of about the same size allocates nothing. The memory consists of
 * arrays on the Java heap, and one limit applies to their sum.
 *
 * <p>One walk at a time may use an arena, so each thread needs its own.
 */
public final class Arena {
    private final Budget budget;
    final Branches branches;
    final Pending pending;
    final Frames frames;
    final Positions positions;
    final Visited visited;
    final Heap heap;
    /** The state of each branch, if the walk's {@link Guide} computes states. */
    long[] states = {};
    /** The cost of each branch, if the walk is best-first. */
    double[] costs = {};

    private int[] starts = {};
    private int startCount;
    /** The run that uses the arena now. */
    private Run owner;
    /**
     * Whether a call of the run is in progress; the guide's functions must not use the arena during the call.
     */
    private boolean isInside;

    /**
     * An arena that holds at most {@code memoryBytes} bytes, which it allocates as walks need them.
     *
     * @throws IllegalArgumentException if {@code memoryBytes} is negative
     */
    public Arena(long memoryBytes) {
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("memory: expected 0 bytes or more, found " + memoryBytes);
        }
        budget = new Budget(memoryBytes);
        branches = new Branches(budget);
        pending = new Pending(budget);
        frames = new Frames(budget, pending);
        positions = new Positions(budget);
        visited = new Visited(budget);
        heap = new Heap(budget);
    }

    /** The limit of the arena in bytes. */
    public long limit() {
        return budget.limit;
    }

    /** The number of bytes that the arena holds now. */
    public long held() {
        return budget.held();
    }

    /** The maximum number of bytes that the arena has held. */
    public long most() {
        return budget.most();
    }

    Budget budget() {
        return budget;
    }

    /** Empties the arena and assigns it to a run. The walk of the previous run ends. */
    void begin(Run run) {
        checkOutside();
        owner = run;
        branches.clear();
        heap.clear();
        startCount = 0;
    }

    /** Begins a call of a run. Throws if another run has begun a walk in the arena since. */
    void enter(Run run) {
        if (owner != run) {
            throw new IllegalStateException("the arena of this walk now belongs to another walk");
        }
        isInside = true;
    }

    void leave() {
        isInside = false;
    }

    void checkOutside() {
        if (isInside) {
            throw new IllegalStateException("a function called by a walk must not use its run or its arena");
        }
    }

    void addStart(int node) {
        if (startCount == starts.length) {
            starts = budget.grow(starts, startCount + 1L);
        }
        starts[startCount++] = node;
    }

    int startCount() {
        return startCount;
    }

    int start(int number) {
        return starts[number];
    }

    /** Grows the array of states if it has no room for this branch. */
    void reserveState(int number) {
        if (number >= states.length) {
            states = budget.grow(states, number + 1L);
        }
    }

    /** Stores the cost of a branch. */
    void setCost(int number, double cost) {
        if (number >= costs.length) {
            costs = budget.grow(costs, number + 1L);
        }
        costs[number] = cost;
    }
}
