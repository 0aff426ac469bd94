package varvite.walk;

/**
 * Memory for walks that is kept and reused: a second walk of about the same size allocates nothing. The
 * memory consists of arrays on the Java heap, which count against one budget.
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
    /** The state of each branch, in a walk whose guide keeps states. */
    long[] states = {};
    /** The cost of each branch, in a walk by cost. */
    double[] costs = {};

    private int[] starts = {};
    private int startCount;
    /** The run that uses the arena. */
    private Run owner;
    /** Whether a call of the run is active: functions of the guide may not use the arena then. */
    private boolean isInside;

    /**
     * An arena of at most {@code memoryBytes} bytes. Memory is allocated when it is needed.
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

    /** The bytes that the arena holds now. */
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

    /** Assigns the emptied arena to a run; the run that used it before is over. */
    void begin(Run run) {
        checkOutside();
        owner = run;
        branches.clear();
        heap.clear();
        startCount = 0;
    }

    /** Begins a call of a run. Throws if another run was begun in the arena. */
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

    /** Makes room for the state of a branch. */
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
