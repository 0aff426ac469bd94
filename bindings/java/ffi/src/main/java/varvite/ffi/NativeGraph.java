package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import varvite.SharedBudget;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.pipeline.Pipeline;
import varvite.spi.Engine;
import varvite.spi.EngineBudget;
import varvite.spi.Lifetime;
import varvite.walk.Walk;

/**
 * A graph that is open in the native engine.
 *
 * <p>{@link varvite.Graph} itself opens the file in the engine when it reads a compressed column. A program
 * needs this class to run pipelines and walks in the engine, and to {@linkplain #property read values} that
 * the engine decodes block by block within its memory limit. May be used by any number of threads.
 */
public final class NativeGraph implements Engine {
    private static final long INFO_BYTES = 120;
    private static final long GENERATION_AT = 16;
    private static final long DIRECTORY_HASH_AT = 24;
    private static final long FILE_ID_AT = 32;
    private static final int FILE_ID_BYTES = 16;

    private static final long MEMORY_BYTES = 64;
    private static final long DECODED_AT = 16;
    private static final long PINNED_AT = 24;

    private static final int OPTIONS_BYTES = 48;
    private static final long BUDGET_AT = 40;
    private static final int BUFFERED = 1;

    private static final ThreadLocal<Results> RESULTS = ThreadLocal.withInitial(() -> new Results(Arena.ofAuto()));

    private final Path path;
    private final Held held;
    /**
     * The handle that is passed to calls. If an arena owns the memory of the file, the handle is valid only
     * until that arena is closed.
     */
    private final MemorySegment handle;
    private final long generation;
    private final long directoryHash;
    private final byte[] fileId;

    private NativeGraph(Path path, Held held, MemorySegment handle) {
        this.path = path;
        this.held = held;
        this.handle = handle;
        Lifetime.whenLost(this, held::giveBack);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment info = arena.allocate(INFO_BYTES, Long.BYTES);
            Call.check((int) Call.GRAPH_DESCRIBE.invokeExact(handle, info, INFO_BYTES, error), error);
            generation = info.get(JAVA_LONG, GENERATION_AT);
            directoryHash = info.get(JAVA_LONG, DIRECTORY_HASH_AT);
            fileId = info.asSlice(FILE_ID_AT, FILE_ID_BYTES).toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /**
     * Opens a graph: reads its header and directory.
     *
     * <p>A mapped graph is fastest, but no program may shorten the file while the graph is open: unlike with
     * Java's own maps, a read of the missing part ends the process (SIGBUS). In a buffered graph, such a read
     * throws an {@link EngineException} with {@code VARVITE_E_TRUNCATED}.
     *
     * @param buffered whether to read into private buffers and check every block, for untrusted files and
     * files that other programs change
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException if the file cannot be read as a graph
     */
    public static NativeGraph open(Path path, boolean buffered) {
        return open(path, buffered, (EngineBudget) null);
    }

    /**
     * Opens a graph within a budget that several graphs of this class or of {@link varvite.Graph} share. The
     * budget includes the graph's pages and decoded columns.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException if the file cannot be read as a graph, or its tables do not fit in the budget
     */
    public static NativeGraph open(Path path, boolean buffered, SharedBudget budget) {
        return open(path, buffered, budget.engine());
    }

    private static NativeGraph open(Path path, boolean buffered, EngineBudget budget) {
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment options = options(arena, buffered, budget);
            MemorySegment graph = arena.allocate(ADDRESS);
            Call.check((int) Call.GRAPH_OPEN.invokeExact(Words.name(arena, "the path", path.toString()), options, graph, error), error);
            Reference.reachabilityFence(budget);
            MemorySegment opened = graph.get(ADDRESS, 0);
            return new NativeGraph(path, new Held(opened, Call.GRAPH_RELEASE), opened);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /**
     * Opens a graph whose file is in memory that {@code arena} owns. The graph is valid until that arena is
     * closed.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException if the file cannot be read as a graph
     */
    static NativeGraph open(Path path, MemorySegment bytes, Arena arena, EngineBudget budget) {
        NativeLibrary.get();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment graph = scratch.allocate(ADDRESS);
            MemorySegment name = Words.name(scratch, "the path", path.toString());
            MemorySegment options = options(scratch, true, budget);
            Call.check((int) Call.GRAPH_OPEN_BYTES.invokeExact(bytes, bytes.byteSize(), name, options, graph, error), error);
            // An unreachable budget would be released, so keep it reachable until the graph holds it.
            Reference.reachabilityFence(budget);
            Held held = new Held(graph.get(ADDRESS, 0), Call.GRAPH_RELEASE);
            return ofHeld(path, held, arena);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    private static MemorySegment options(Arena arena, boolean buffered, EngineBudget budget) {
        MemorySegment options = arena.allocate(OPTIONS_BYTES, Long.BYTES);
        options.set(JAVA_INT, 0, OPTIONS_BYTES);
        options.set(JAVA_INT, Integer.BYTES, buffered ? BUFFERED : 0);
        options.set(ADDRESS, BUDGET_AT, budget == null ? MemorySegment.NULL : ((NativeBudget) budget).handle());
        return options;
    }

    private static NativeGraph ofHeld(Path path, Held held, Arena arena) {
        try {
            return new NativeGraph(path, held, held.handle().reinterpret(arena, null));
        } catch (RuntimeException | Error e) {
            held.giveBack();
            throw e;
        }
    }

    /** The path of the file. */
    public Path path() {
        return path;
    }

    @Override
    public long generation() {
        return generation;
    }

    @Override
    public byte[] fileId() {
        return fileId.clone();
    }

    @Override
    public long directoryHash() {
        return directoryHash;
    }

    @Override
    public void read(int number, long start, MemorySegment out) {
        Results results = RESULTS.get();
        try {
            Call.check((int) Call.SEGMENT_READ.invokeExact(handle(), number, start, out, out.byteSize(), results.error), results.error);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    @Override
    public MemorySegment segment(int number, Arena arena) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment address = scratch.allocate(ADDRESS);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            MemorySegment pin = scratch.allocate(ADDRESS);
            int status = (int) Call.SEGMENT_PIN.invokeExact(handle(), number, address, length, pin, error);
            Call.check(status, error);
            return lent(address.get(ADDRESS, 0), length.get(JAVA_LONG, 0), arena, pin.get(ADDRESS, 0));
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /**
     * The pinned bytes as a segment of the arena. Closing the arena releases the pin; at that time, no thread
     * can read the bytes any more.
     */
    private static MemorySegment lent(MemorySegment address, long length, Arena arena, MemorySegment pin) {
        try {
            return address.reinterpret(length, arena, ignored -> Call.release(Call.PIN_RELEASE, pin)).asReadOnly();
        } catch (IllegalStateException closed) {
            Call.release(Call.PIN_RELEASE, pin);
            throw closed;
        }
    }

    /**
     * A property of nodes.
     *
     * @throws EngineException if the graph lacks the name (the message has the most similar name), or if the
     * column is damaged
     */
    public NativeProperty property(String name) {
        return NativeProperty.open(this, Call.NONE, name);
    }

    /**
     * Runs a pipeline in the engine. The pipeline is sent to the engine once, and the run then returns
     * batches of results.
     *
     * @throws EngineException if the pipeline cannot be compiled for this graph; the message names the step
     */
    public NativeRun run(Pipeline pipeline) {
        return run(pipeline, RunOptions.DEFAULT);
    }

    /** The same as {@link #run(Pipeline)}, with options. */
    public NativeRun run(Pipeline pipeline, RunOptions options) {
        return run(pipeline.toJson(), options);
    }

    /**
     * Runs a pipeline in its JSON form, for example from a file or another program.
     *
     * @param plan the pipeline as JSON: {@code docs/plan.md} describes each step
     * @throws EngineException if the pipeline cannot be compiled for this graph; the message names the step
     */
    public NativeRun run(String plan) {
        return run(plan, RunOptions.DEFAULT);
    }

    /** The same as {@link #run(String)}, with options. */
    public NativeRun run(String plan, RunOptions options) {
        return NativeRun.start(this, plan, options);
    }

    /**
     * Runs a plan that has parameters ({@code docs/plan.md} describes them).
     *
     * @throws EngineException if a parameter has no value or a value of another type, or if the plan cannot
     * be compiled; the message names the parameter or the step
     */
    public NativeRun run(String plan, Parameters values) {
        return run(bind(plan, values), RunOptions.DEFAULT);
    }

    /**
     * The plan with each parameter replaced by its value. Pass the result to {@link #run(String, RunOptions)}
     * or {@link #runArrow}.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException if a parameter has no value or a value of another type; the message names the
     * parameter
     */
    public static String bind(String plan, Parameters values) {
        NativeLibrary.get();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment bytes = scratch.allocateFrom(JAVA_BYTE, Words.bytes("the plan", plan));
            MemorySegment parameters = values.in(scratch);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            MemorySegment bound = MemorySegment.NULL;
            int status = Call.TOO_SMALL;
            // The first call only returns the length.
            for (int turn = 0; turn < 2 && status == Call.TOO_SMALL; turn++) {
                status = (int) Call.PLAN_BIND.invokeExact(
                        bytes, bytes.byteSize(), parameters, (long) values.count(), bound, bound.byteSize(), length, error);
                if (status == Call.TOO_SMALL) {
                    bound = scratch.allocate(length.get(JAVA_LONG, 0));
                }
            }
            Call.check(status, error);
            return new String(bound.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /**
     * Runs a pipeline in the engine and returns its rows as Arrow record batches: writes an
     * {@code ArrowArrayStream} of the Arrow C Stream Interface to {@code room}. Arrow's Java library, or any
     * other reader of that interface, can consume the stream.
     *
     * <pre>{@code
     * try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
     *     graph.runArrow(pipeline, RunOptions.DEFAULT, stream.memoryAddress());
     *     try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
     *         while (reader.loadNextBatch()) { .. reader.getVectorSchemaRoot() .. }
     *     }
     * }
     * }</pre>
     *
     * <p>Arrow types: a node is its id as an unsigned 32-bit integer; a count is an unsigned 64-bit integer;
     * an edge is a struct of label, source, target and rank; a group or path is a large list; a text is a
     * large UTF-8 string; a label is a dictionary of large UTF-8 strings. If a row has no value in a column,
     * Arrow's value is null.
     *
     * <p>The graph is not read before the consumer's first call for a batch. For each batch, the engine
     * allocates memory outside the Java heap and copies the rows there: {@link RunOptions#batchRows} rows, or
     * fewer if texts and lists exceed 16 MiB. This call itself allocates some hundred bytes.
     *
     * <p>The caller owns the memory of {@code room}, whose content is overwritten. The stream must be
     * released once, with its function {@code release}; consumers do this, even if they stop early. Until
     * then the stream keeps the file open, even after {@link #close}. A batch is valid until the batch itself
     * is released, even after the release of the stream. Any thread may use the stream, but only one at a
     * time. Errors of the run are reported to the consumer, with the engine's message: Arrow's library throws
     * an {@link java.io.IOException}.
     *
     * @param room 40 bytes of native memory at a multiple of 8
     * @throws IllegalArgumentException if {@code room} does not meet these conditions
     * @throws EngineException if the pipeline cannot be compiled for this graph; the message names the step,
     * and {@code room} is unchanged
     * @throws GraphClosedException if the graph is closed
     */
    public void runArrow(Pipeline pipeline, RunOptions options, MemorySegment room) {
        runArrow(pipeline.toJson(), options, room);
    }

    /**
     * The same as {@link #runArrow(Pipeline, RunOptions, MemorySegment)}, with an address, such as
     * {@code ArrowArrayStream.memoryAddress()}. Only the address's alignment to 8 can be checked: a wrong
     * address causes other memory to be overwritten or the process to end.
     */
    public void runArrow(Pipeline pipeline, RunOptions options, long address) {
        runArrow(pipeline.toJson(), options, address);
    }

    /**
     * The same as {@link #runArrow(Pipeline, RunOptions, MemorySegment)}, for a pipeline in its JSON form.
     */
    public void runArrow(String plan, RunOptions options, MemorySegment room) {
        send(Call.RUN_ARROW, plan, options, ArrowStream.checked(room));
    }

    /** The same as {@link #runArrow(Pipeline, RunOptions, long)}, for a pipeline in its JSON form. */
    public void runArrow(String plan, RunOptions options, long address) {
        send(Call.RUN_ARROW, plan, options, ArrowStream.at(address));
    }

    /**
     * Compiles a walk in the engine; {@link NativeWalk#from} begins it. The walk's memory is limited to a
     * part of the machine's memory, and the engine returns 1024 results at a time.
     *
     * @throws EngineException if the graph lacks a name of the walk, or its evaluators contradict each other
     * @throws GraphClosedException if the graph is closed
     */
    public NativeWalk walk(Walk walk) {
        return walk(walk, 0, NativeWalk.defaultBatch());
    }

    /**
     * Compiles a walk in the engine, with a memory limit and with a maximum number of results for each call
     * of the engine. The path of each result is available only if this number is 1.
     *
     * @param memoryBytes the walk's memory limit in bytes; 0 for the default
     * @param batch the maximum number of results that one call of the engine returns
     * @throws IllegalArgumentException if {@code memoryBytes} is negative or {@code batch} is below 1
     */
    public NativeWalk walk(Walk walk, long memoryBytes, int batch) {
        return walk(walk.toJson(), memoryBytes, batch);
    }

    /**
     * The same as {@link #walk(Walk, long, int)}, for a walk in its JSON form, which
     * {@code docs/guide/walks.md} describes.
     */
    public NativeWalk walk(String description, long memoryBytes, int batch) {
        if (memoryBytes < 0 || batch < 1) {
            throw new IllegalArgumentException("memory: " + memoryBytes + " bytes, batch: " + batch + " results");
        }
        return NativeWalk.compile(this, description, memoryBytes, batch);
    }

    /**
     * Sends a plan to the engine, which writes the run's handle or stream to {@code out}. If the call fails,
     * {@code out} is unchanged.
     */
    void send(MethodHandle call, String plan, RunOptions options, MemorySegment out) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment bytes = scratch.allocateFrom(JAVA_BYTE, Words.bytes("the plan", plan));
            Call.check((int) call.invokeExact(handle(), bytes, bytes.byteSize(), options.in(scratch), out, error), error);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /**
     * The source locations of nodes of a code property graph, in the order of the arguments: the file, the
     * line and the METHOD of each node. Allocates the result. For speed, pass many nodes in one call, with
     * the nodes of a METHOD next to each other.
     *
     * @throws EngineException if a node does not exist, or a column that this method reads is damaged
     * @throws GraphClosedException if the graph is closed
     */
    public List<Site> sites(int... nodes) {
        return CodeQuestions.sites(this, nodes, CodeQuestions.TEXT_BYTES);
    }

    /**
     * The CALL nodes that may call one of the METHOD nodes, in rising order and without duplicates.
     *
     * @throws EngineException if a node does not exist, the graph has no edge label CALL, or a column that
     * this method reads is damaged
     * @throws GraphClosedException if the graph is closed
     */
    public int[] callsOf(int... methods) {
        return CodeQuestions.callsOf(this, methods);
    }

    /**
     * The METHOD nodes that {@code methods} may call, in rising order, each with the number of CALL nodes
     * that may call it.
     *
     * @throws EngineException if a node does not exist, the graph has no edge label CALL or CONTAINS, or a
     * column that this method reads is damaged
     * @throws GraphClosedException if the graph is closed
     */
    public List<Callee> calleesOf(int... methods) {
        return CodeQuestions.calleesOf(this, methods);
    }

    /**
     * Checks that no read through this graph, its properties and its runs has found a damaged value. Reads
     * may return a damaged value as absent, so call this method after reading results.
     *
     * @throws EngineException with the first damage that was found
     */
    public void check() {
        Call.on(Call.GRAPH_CHECK, handle(), this::failure);
    }

    @Override
    public long decodedBytes() {
        return memory(DECODED_AT);
    }

    @Override
    public long pinnedBytes() {
        return memory(PINNED_AT);
    }

    private long memory(long at) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment memory = arena.allocate(MEMORY_BYTES, Long.BYTES);
            Call.check((int) Call.GRAPH_MEMORY.invokeExact(handle(), memory, MEMORY_BYTES, error), error);
            return memory.get(JAVA_LONG, at);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /**
     * The handle, for use in a call. If the handle is released during the call, the engine only reports an
     * error.
     */
    MemorySegment handle() {
        held.checkOpen(path);
        return handle;
    }

    /**
     * The exception for a call that failed: {@link GraphClosedException} if the graph was closed during the
     * call.
     */
    RuntimeException failure(Throwable thrown) {
        RuntimeException failure = held.failure(path, thrown);
        boolean isEnded = failure instanceof IllegalStateException && !handle.scope().isAlive();
        return isEnded ? new GraphClosedException(path, failure) : failure;
    }

    /**
     * Closes this object; the engine closes the graph as soon as its properties are closed and their values
     * are released. A second call has no effect.
     */
    @Override
    public void close() {
        held.giveBack();
    }
}
