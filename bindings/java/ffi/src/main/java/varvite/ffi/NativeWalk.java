package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.Direction;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;

/**
 * A compiled walk in the engine, with a reusable arena. The engine follows edges without calls from Java and
 * returns results in batches, so that many results need few calls. An object can be used for one walk after
 * another.
 *
 * <pre>{@code
 * try (NativeWalk walk = graph.walk(Walk.breadthFirst().hop(Hop.out("CFG")))) {
 *     for (walk.from(17); walk.next(); ) {
 *         System.out.println(walk.node() + " after " + walk.depth() + " edges");
 *     }
 * }
 * }</pre>
 *
 * <p>The results and their order are the same as those of {@link varvite.walk.Run}, but callbacks are not
 * supported. Steps allocate nothing on the Java heap, except exceptions. Only one thread at a time may use a
 * walk, but any thread may call {@link #cancel} and {@link #close}. A thread's interrupt does not end a walk:
 * call {@link #cancel} instead.
 */
public final class NativeWalk extends Running {
    /**
     * The size of the C struct {@code varvite_visit}, with the fields node, parent, depth, edge_label,
     * direction, edge_rank and cost.
     */
    private static final long VISIT_BYTES = 32;

    private static final long PARENT_AT = 4;
    private static final long DEPTH_AT = 8;
    private static final long EDGE_LABEL_AT = 12;
    private static final long DIRECTION_AT = 16;
    private static final long EDGE_RANK_AT = 20;
    private static final long COST_AT = 24;

    /** The size of the C struct {@code varvite_step}, with the fields node, edge_label and direction. */
    private static final long STEP_BYTES = 12;

    private static final int STEPS_MIN = 64;

    /**
     * The size of the C struct {@code varvite_walk_counts}, with the fields branches, results, expansions,
     * edges, label_reads and value_reads.
     */
    private static final long COUNTS_BYTES = 48;

    private static final int BATCH = 1024;

    private final MemorySegment start;
    private final MemorySegment visits;
    private final int batch;
    private MemorySegment starts;
    private MemorySegment steps;
    /** The index of the current result in the batch, and the number of results in the batch. */
    private int at = -1;

    private int given;

    private NativeWalk(NativeGraph graph, MemorySegment handle, int batch) {
        super(graph, handle, Call.WALK_RELEASE, Call.WALK_CANCEL);
        this.batch = batch;
        start = results.allocate(JAVA_INT);
        visits = results.allocate(VISIT_BYTES * batch, Long.BYTES);
        starts = MemorySegment.NULL;
        steps = MemorySegment.NULL;
    }

    static NativeWalk compile(NativeGraph graph, String description, long memoryBytes, int batch) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment bytes = scratch.allocateFrom(JAVA_BYTE, Words.bytes("the walk", description));
            MemorySegment walk = scratch.allocate(ADDRESS);
            Call.check(
                    (int) Call.WALK_COMPILE.invokeExact(graph.handle(), bytes, bytes.byteSize(), memoryBytes, walk, error), error);
            return new NativeWalk(graph, walk.get(ADDRESS, 0), batch);
        } catch (Throwable e) {
            throw graph.failure(e);
        }
    }

    /**
     * Begins a walk at a node, and returns this object. The previous walk of this object ends.
     *
     * @throws EngineException if the node does not exist, or the walk follows no edge
     * @throws GraphClosedException if the walk is closed
     */
    public NativeWalk from(int node) {
        lifetime.checkOpen();
        start.set(JAVA_INT, 0, node);
        return begin(start, 1);
    }

    /**
     * Begins a walk at several start nodes, which the walk visits in this order. Otherwise the same as
     * {@link #from(int)}.
     */
    public NativeWalk from(int[] nodes) {
        lifetime.checkOpen();
        if (starts.byteSize() < (long) Integer.BYTES * nodes.length) {
            starts = lifetime.arena().allocate(JAVA_INT, 2L * nodes.length);
        }
        MemorySegment.copy(nodes, 0, starts, JAVA_INT, 0, nodes.length);
        return begin(starts, nodes.length);
    }

    private NativeWalk begin(MemorySegment nodes, long length) {
        at = -1;
        given = 0;
        try {
            check((int) Call.WALK_BEGIN.invokeExact(handle, nodes, length, error));
        } catch (Throwable e) {
            throw failure(e);
        }
        return this;
    }

    /**
     * Moves to the next result; false if no result is left.
     *
     * @throws EngineException if the walk reached its memory or time limit or was cancelled, or if the file
     * is damaged. It is thrown only after all results found before were returned; the walk has then ended
     * @throws GraphClosedException if the walk is closed
     */
    public boolean next() {
        lifetime.checkOpen();
        at++;
        return at < given || fetch();
    }

    private boolean fetch() {
        at = -1;
        given = 0;
        try {
            check((int) Call.WALK_NEXT.invokeExact(handle, visits, VISIT_BYTES, (long) batch, count, error));
            given = (int) count.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw failure(e);
        }
        at = given > 0 ? 0 : -1;
        return given > 0;
    }

    /** The node of the current result. */
    public int node() {
        return visits.get(JAVA_INT, place());
    }

    /** The node before the current node on the branch; -1 at a start node. */
    public int parent() {
        return visits.get(JAVA_INT, place() + PARENT_AT);
    }

    /** The number of edges from the start node. */
    public int depth() {
        return visits.get(JAVA_INT, place() + DEPTH_AT);
    }

    /** The number of the last edge's label; -1 at a start node. */
    public int edgeLabel() {
        return visits.get(JAVA_INT, place() + EDGE_LABEL_AT);
    }

    /** The direction in which the last edge was followed; null at a start node. */
    public Direction direction() {
        return directionOf(visits.get(JAVA_INT, place() + DIRECTION_AT));
    }

    private static Direction directionOf(int number) {
        return switch (number) {
            case 0 -> Direction.OUT;
            case 1 -> Direction.IN;
            default -> null;
        };
    }

    /** The rank of the last edge, as an unsigned int; -1 if the walk does not identify edges. */
    public int edgeRank() {
        return visits.get(JAVA_INT, place() + EDGE_RANK_AT);
    }

    /** The total cost of the branch's edges, in a best-first walk; else 0. */
    public double cost() {
        return visits.get(JAVA_DOUBLE, place() + COST_AT);
    }

    private long place() {
        lifetime.checkOpen();
        if (at < 0) {
            throw new IllegalStateException("the walk is at no result: call next first");
        }
        return VISIT_BYTES * at;
    }

    /**
     * The nodes and edges from the start node to the current result, as three ints for each node: the node's
     * id, the number of the label of the edge to the node, and 1 if that edge was followed against its
     * direction, else 0. For the start node, the second and the third int are -1. Available only if the walk
     * was made with batches of one result ({@code NativeGraph.walk}), because the engine has only the path of
     * its last result. Allocates the array.
     *
     * @throws IllegalStateException if batches have more than one result
     */
    public int[] path() {
        place();
        if (batch != 1) {
            throw new IllegalStateException("paths need a walk with batches of one result");
        }
        try {
            int status = readPath();
            if (status == Call.TOO_SMALL) {
                steps = lifetime.arena().allocate(STEP_BYTES * Math.max(STEPS_MIN, 2 * count.get(JAVA_LONG, 0)), Integer.BYTES);
                status = readPath();
            }
            check(status);
            return steps.asSlice(0, STEP_BYTES * count.get(JAVA_LONG, 0)).toArray(JAVA_INT);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private int readPath() throws Throwable {
        return (int) Call.WALK_PATH.invokeExact(handle, steps, STEP_BYTES, steps.byteSize() / STEP_BYTES, count, error);
    }

    /**
     * Counts the remaining results in one call, without returning them.
     *
     * @throws EngineException as for {@link #next}, but without returning the results found before
     * @throws GraphClosedException if the walk is closed
     */
    public long count() {
        lifetime.checkOpen();
        int ofBatch = Math.max(given - at - 1, 0);
        at = -1;
        given = 0;
        try {
            check((int) Call.WALK_REST.invokeExact(handle, count, error));
        } catch (Throwable e) {
            throw failure(e);
        }
        return ofBatch + count.get(JAVA_LONG, 0);
    }

    /**
     * Counts of the work that the walk has done for the batches fetched so far. Allocates the returned
     * object.
     *
     * @throws GraphClosedException if the walk is closed
     */
    public varvite.walk.Counts counts() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment counts = scratch.allocate(COUNTS_BYTES, Long.BYTES);
            check((int) Call.WALK_COUNT.invokeExact(handle, counts, COUNTS_BYTES, error));
            return new varvite.walk.Counts(
                    counts.getAtIndex(JAVA_LONG, 0),
                    counts.getAtIndex(JAVA_LONG, 1),
                    counts.getAtIndex(JAVA_LONG, 2),
                    counts.getAtIndex(JAVA_LONG, 3),
                    counts.getAtIndex(JAVA_LONG, 4),
                    counts.getAtIndex(JAVA_LONG, 5));
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    static int defaultBatch() {
        return BATCH;
    }
}
