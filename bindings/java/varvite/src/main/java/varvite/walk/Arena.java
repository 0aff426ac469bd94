package varvite.walk;

/**
 * Memory for walks that keeps its size from one walk to the next: from the second walk like another on,
 * nothing is allocated. All of it are arrays on the Java heap, taken from one budget.
 *
 * <p>One walk has it at a time; threads have an arena each.
 */
public final class Arena {
    private final Budget budget;
    final Branches branches;
    final Pending pending;
    final Frames frames;
    final Positions positions;
    final Visited visited;
    final Heap heap;
    /** One for each branch of a walk whose guide keeps states. */
    long[] states = {};
    /** One for each branch of a walk by cost. */
    double[] costs = {};

    private int[] starts = {};
    private int startCount;
    /** The walk that has it. */
    private Run owner;
    /** Whether a walk is at work in it: the functions that lead the walk may not use it. */
    private boolean isInside;

    /**
     * An arena of at most so many bytes. Nothing is allocated before it is needed.
     *
     * @throws IllegalArgumentException if that is negative
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

    /** The bytes that it may hold. */
    public long limit() {
        return budget.limit;
    }

    /** The bytes that it holds. */
    public long held() {
        return budget.held();
    }

    /** The most bytes that it held so far. */
    public long most() {
        return budget.most();
    }

    Budget budget() {
        return budget;
    }

    /** Gives the arena to a walk, empty; the one that had it is over. */
    void begin(Run run) {
        checkOutside();
        owner = run;
        branches.clear();
        heap.clear();
        startCount = 0;
    }

    /** Lets a walk go on in it. */
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

    /** Notes the cost of a branch. */
    void setCost(int number, double cost) {
        if (number >= costs.length) {
            costs = budget.grow(costs, number + 1L);
        }
        costs[number] = cost;
    }
}
