package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;

/**
 * A run of a pipeline in the engine, which returns its rows in batches.
 *
 * <pre>{@code
 * try (NativeRun run = graph.run(plan)) {
 *     while (run.next()) {
 *         for (int row = 0; row < run.rows(); row++) {
 *             int node = run.node(row);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Nodes are read from the engine's memory, without a copy. Only one thread at a time may use a run, but
 * any thread may call {@link #cancel} and {@link #close}.
 */
public final class NativeRun extends Running {
    /** The kind of rows. */
    public enum Kind {
        /** Rows are nodes. Read them with {@link NativeRun#node}. */
        NODES,
        /** Rows are edges. Read them with {@link NativeRun#source} and {@link NativeRun#target}. */
        EDGES,
        /** Rows are values. Read them with {@link NativeRun#number}. */
        VALUES,
        /** Rows have columns. Read them with {@link NativeRun#numbers} and {@link NativeRun#text}. */
        TABLE
    }

    private static final Kind[] KINDS = Kind.values();

    /**
     * The size of the C struct {@code varvite_batch}, with the fields nodes, edges, numbers, row_count,
     * column_count and kind.
     */
    private static final long BATCH_BYTES = 40;
    private static final long NODES_AT = 0;
    private static final long EDGES_AT = 8;
    private static final long NUMBERS_AT = 16;
    private static final long ROWS_AT = 24;
    private static final long COLUMNS_AT = 32;
    private static final long KIND_AT = 36;

    private static final int EDGE_BYTES = 16;
    private static final int LABEL_AT = 0;
    private static final int SOURCE_AT = 4;
    private static final int TARGET_AT = 8;

    /**
     * The size of the C struct {@code varvite_result_column}, with the fields name, name_length, value_type
     * and is_list.
     */
    private static final long COLUMN_BYTES = 24;

    private static final int TEXT_BYTES = 256;

    /**
     * The whole address space as a segment that is valid until the run is closed. With it, batches in the
     * engine's memory are read without a segment for each batch.
     */
    private final MemorySegment memory;
    private final MemorySegment batch;
    private MemorySegment text;
    private MemorySegment numbers = MemorySegment.NULL;
    private MemorySegment present = MemorySegment.NULL;
    /** The address of the batch's rows. */
    private long items;
    private Kind kind;
    private int rows;
    private int width;
    /**
     * The number of times that the current rows have changed. An iterator stores this number to detect that
     * its batch is no longer current.
     */
    private int turns;

    private NativeRun(NativeGraph graph, MemorySegment handle) {
        super(graph, handle, Call.RUN_RELEASE, Call.RUN_CANCEL);
        memory = Call.memory(lifetime.arena());
        batch = results.allocate(BATCH_BYTES, Long.BYTES);
        text = lifetime.arena().allocate(TEXT_BYTES);
    }

    static NativeRun start(NativeGraph graph, String plan, RunOptions options) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment run = scratch.allocate(ADDRESS);
            graph.send(Call.RUN_PLAN, plan, options, run);
            return new NativeRun(graph, run.get(ADDRESS, 0));
        }
    }

    /**
     * Moves to the next batch, which has at least one row. Views of the previous batch become invalid.
     *
     * @return false at the end
     * @throws EngineException if the run exceeds its memory limit, is cancelled or has an endless walk, or if
     * the file is damaged; the run has then ended
     * @throws GraphClosedException if the run is closed
     */
    public boolean next() {
        rows = 0;
        try {
            if (check((int) Call.RUN_NEXT.invokeExact(handle, batch, BATCH_BYTES, error)) == Call.ABSENT) {
                return false;
            }
        } catch (Throwable e) {
            throw failure(e);
        }
        turnToBatch();
        return true;
    }

    /**
     * Selects the rows that passed the step {@code side} with this name while the last batch was being made;
     * at the end of the run, those that passed it after the last batch. Until the next call of {@link #next},
     * {@link #rows} and the other methods read these rows.
     *
     * @return false if no row passed
     * @throws EngineException if the plan has no such step
     * @throws GraphClosedException if the run is closed
     */
    public boolean side(String name) {
        rows = 0;
        try (Arena scratch = Arena.ofConfined()) {
            byte[] bytes = Words.bytes("the name of a step", name);
            MemorySegment sent = scratch.allocateFrom(JAVA_BYTE, bytes);
            check((int) Call.RUN_SIDE.invokeExact(handle, sent, (long) bytes.length, batch, BATCH_BYTES, error));
        } catch (Throwable e) {
            throw failure(e);
        }
        turnToBatch();
        return rows > 0;
    }

    private void turnToBatch() {
        kind = KINDS[batch.get(JAVA_INT, KIND_AT)];
        rows = Math.toIntExact(batch.get(JAVA_LONG, ROWS_AT));
        width = batch.get(JAVA_INT, COLUMNS_AT);
        items = batch.get(JAVA_LONG, itemsAt(kind));
        turns++;
    }

    private static long itemsAt(Kind kind) {
        return switch (kind) {
            case NODES, TABLE -> NODES_AT;
            case EDGES -> EDGES_AT;
            case VALUES -> NUMBERS_AT;
        };
    }

    /** A number that changes whenever the current rows change. */
    int batch() {
        return turns;
    }

    /** The kind of rows of the last batch. */
    public Kind kind() {
        return kind;
    }

    /** The number of rows of the last batch; 0 before the first batch and after the end. */
    public int rows() {
        return rows;
    }

    /** The number of columns; 1 if rows do not have columns. */
    public int columns() {
        return width;
    }

    /**
     * The node of a row.
     *
     * @throws ArithmeticException if the node's id is above 2^31 - 1; {@link #nodeId} returns such ids
     */
    public int node(int row) {
        return checkedId(memory.get(JAVA_INT, at(row, Kind.NODES, Integer.BYTES)));
    }

    /** The node of a row, in a graph of any size. */
    public long nodeId(int row) {
        return Integer.toUnsignedLong(memory.get(JAVA_INT, at(row, Kind.NODES, Integer.BYTES)));
    }

    /**
     * Checks that an id is not negative as an int. The engine's ids go up to 2^32, but a negative int would
     * be a wrong index.
     */
    static int checkedId(int id) {
        if (id < 0) {
            throw new ArithmeticException("the node " + Integer.toUnsignedString(id) + " is beyond ints: read ids as longs");
        }
        return id;
    }

    /**
     * Copies the nodes of the batch to {@code out}, which must have room for {@link #rows} ids. Returns the
     * number of nodes. In a graph of more than 2^31 nodes, read the ids as unsigned ints.
     */
    public int copyNodes(int[] out) {
        MemorySegment.copy(memory, JAVA_INT, at(0, Kind.NODES, 0), out, 0, rows);
        return rows;
    }

    /**
     * Calls {@code action} with every node of the current batch, if there is one, and of all following
     * batches.
     */
    public void forEachNode(IntConsumer action) {
        for (boolean isBatch = rows > 0 || next(); isBatch; isBatch = next()) {
            for (int row = 0; row < rows; row++) {
                action.accept(node(row));
            }
        }
    }

    /**
     * The nodes of the current batch, if there is one, and of all following batches, as an iterator of ints.
     * Allocates the iterator.
     */
    public PrimitiveIterator.OfInt nodeIterator() {
        return new NodeIterator(this);
    }

    /**
     * The nodes of the current batch, if there is one, and of all following batches, as a stream. Allocates
     * the stream.
     */
    public IntStream nodes() {
        int traits = Spliterator.ORDERED | Spliterator.IMMUTABLE | Spliterator.NONNULL;
        return StreamSupport.intStream(Spliterators.spliteratorUnknownSize(nodeIterator(), traits), false);
    }

    /** The number of the label of a row's edge. */
    public int edgeLabel(int row) {
        return memory.get(JAVA_INT, at(row, Kind.EDGES, EDGE_BYTES) + LABEL_AT);
    }

    /** The source of a row's edge. */
    public int source(int row) {
        return checkedId(memory.get(JAVA_INT, at(row, Kind.EDGES, EDGE_BYTES) + SOURCE_AT));
    }

    /** The target of a row's edge. */
    public int target(int row) {
        return checkedId(memory.get(JAVA_INT, at(row, Kind.EDGES, EDGE_BYTES) + TARGET_AT));
    }

    /**
     * The value of a row as a number: an integer, a truth value, the code of a text, a node, or the bits of a
     * float.
     */
    public long number(int row) {
        return memory.get(JAVA_LONG, at(row, Kind.VALUES, Long.BYTES));
    }

    /** The address of a row. Throws if the batch has no such row or if rows are of another kind. */
    private long at(int row, Kind wanted, long bytes) {
        lifetime.checkOpen();
        if (rows == 0 || kind != wanted) {
            throw new IllegalStateException(rows == 0 ? "there is no batch" : "rows are " + kind + ", not " + wanted);
        }
        return items + Objects.checkIndex(row, rows) * bytes;
    }

    /** The name of a column of the last batch. */
    public String column(int column) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment info = scratch.allocate(COLUMN_BYTES, Long.BYTES);
            check((int) Call.RUN_COLUMN.invokeExact(handle, column, info, COLUMN_BYTES, error));
            MemorySegment name = info.get(ADDRESS, 0).reinterpret(info.get(JAVA_LONG, Long.BYTES));
            return new String(name.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /**
     * A column of the last batch as numbers; every row must have a value. Allocates the array.
     *
     * @throws NoSuchElementException if a row has no value; in this case, use {@link #numbers(int, long)} or
     * {@link #copyNumbers(int, long[], boolean[])}
     */
    public long[] numbers(int column) {
        long[] out = new long[rows];
        copyNumbers(column, out);
        return out;
    }

    /**
     * A column of the last batch as numbers, with {@code absent} for a row without a value. Allocates the
     * array.
     */
    public long[] numbers(int column, long absent) {
        long[] out = new long[rows];
        readNumbers(column, out);
        for (int row = 0; row < rows; row++) {
            out[row] = isPresent(row) ? out[row] : absent;
        }
        return out;
    }

    /**
     * Copies a column of the last batch to {@code out}, which must have room for {@link #rows} numbers. Every
     * row must have a value. Returns the number of rows.
     *
     * @throws NoSuchElementException if a row has no value
     */
    public int copyNumbers(int column, long[] out) {
        readNumbers(column, out);
        for (int row = 0; row < rows; row++) {
            if (!isPresent(row)) {
                throw new NoSuchElementException("row " + row + " has nothing in column " + column + ": check which rows have a number first");
            }
        }
        return rows;
    }

    /**
     * Copies a column of the last batch to {@code out}, and writes to {@code present} whether each row has a
     * value. Both arrays must have room for {@link #rows} items. Returns the number of rows.
     */
    public int copyNumbers(int column, long[] out, boolean[] present) {
        Objects.checkFromIndexSize(0, rows, present.length);
        readNumbers(column, out);
        for (int row = 0; row < rows; row++) {
            present[row] = isPresent(row);
        }
        return rows;
    }

    private boolean isPresent(int row) {
        return present.get(JAVA_BYTE, row) != 0;
    }

    private void readNumbers(int column, long[] out) {
        Objects.checkFromIndexSize(0, rows, out.length);
        try {
            if (present.byteSize() <= rows) {
                long room = 2L * rows + 1;
                numbers = lifetime.arena().allocate(JAVA_LONG, room);
                present = lifetime.arena().allocate(room);
            }
            check((int) Call.RUN_NUMBERS.invokeExact(handle, column, numbers, present, (long) rows, count, error));
            MemorySegment.copy(numbers, JAVA_LONG, 0, out, 0, rows);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A cell of the last batch as text; null if the row has no value. Allocates the string. */
    public String text(int column, int row) {
        try {
            int status = (int) Call.RUN_TEXT.invokeExact(handle, column, (long) row, text, text.byteSize(), count, error);
            if (status == Call.TOO_SMALL) {
                text = lifetime.arena().allocate(2 * count.get(JAVA_LONG, 0));
                status = (int) Call.RUN_TEXT.invokeExact(handle, column, (long) row, text, text.byteSize(), count, error);
            }
            if (check(status) == Call.ABSENT) {
                return null;
            }
            return new String(text.asSlice(0, count.get(JAVA_LONG, 0)).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        } catch (Throwable e) {
            throw failure(e);
        }
    }
}
