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
 * <p>{@link varvite.Graph} opens one for itself where it meets a coded column; a program needs this class for
 * {@link #property values that are lent block by block}, within the engine's limit of memory. May be used by
 * any number of threads.
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
    /** The handle as calls take it: tied to the memory that the file is in, if it is in ours. */
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
     * <p>Mapped, it is fastest, and no program may shorten the file meanwhile: a read of the missing part
     * ends the process (SIGBUS), unlike with Java's own maps. Buffered, that is an {@link EngineException}
     * with {@code VARVITE_E_TRUNCATED}.
     *
     * @param buffered reads into private buffers and checks every block on the way, for files from strangers
     * and files that others change
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException the fault of the file
     */
    public static NativeGraph open(Path path, boolean buffered) {
        return open(path, buffered, (EngineBudget) null);
    }

    /**
     * The same within a budget that the graph shares with others, of this class or of {@link varvite.Graph}.
     * Its pages and decoded columns count against it.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException the fault of the file; if its tables have no room in the budget
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
     * Opens a graph whose file is in memory, until {@code arena} ends, which the memory is tied to.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException the fault of the file
     */
    static NativeGraph open(Path path, MemorySegment bytes, Arena arena, EngineBudget budget) {
        NativeLibrary.get();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment graph = scratch.allocate(ADDRESS);
            MemorySegment name = Words.name(scratch, "the path", path.toString());
            MemorySegment options = options(scratch, true, budget);
            Call.check((int) Call.GRAPH_OPEN_BYTES.invokeExact(bytes, bytes.byteSize(), name, options, graph, error), error);
            // An unreachable budget is released: keep it until the graph holds it.
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
     * The pin keeps the bytes, and the arena the pin: its end releases it, when no thread can be reading any
     * more.
     */
    private static MemorySegment lent(MemorySegment address, long length, Arena arena, MemorySegment pin) {
        try {
            return address.reinterpret(length, arena, ignored -> release(pin)).asReadOnly();
        } catch (IllegalStateException closed) {
            release(pin);
            throw closed;
        }
    }

    static void release(MemorySegment pin) {
        try {
            int status = (int) Call.PIN_RELEASE.invokeExact(pin);
            assert status == Call.OK : status;
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /**
     * A property of nodes.
     *
     * @throws EngineException if there is none of this name, with the nearest; or the column is damaged
     */
    public NativeProperty property(String name) {
        return NativeProperty.open(this, Call.NONE, name);
    }

    /**
     * Runs a pipeline in the engine: it is sent once, and batches of results come back.
     *
     * @throws EngineException if it cannot be compiled for this graph; the message names the step
     */
    public NativeRun run(Pipeline pipeline) {
        return run(pipeline, RunOptions.DEFAULT);
    }

    /** The same, run as the options say. */
    public NativeRun run(Pipeline pipeline, RunOptions options) {
        return run(pipeline.toJson(), options);
    }

    /**
     * Runs a pipeline that is JSON already, from a file or another program.
     *
     * @param plan the pipeline as JSON: {@code docs/plan.md} describes each step
     * @throws EngineException if it cannot be compiled for this graph; the message names the step
     */
    public NativeRun run(String plan) {
        return run(plan, RunOptions.DEFAULT);
    }

    /** The same, run as the options say. */
    public NativeRun run(String plan, RunOptions options) {
        return NativeRun.start(this, plan, options);
    }

    /**
     * Runs a plan with parameters, which {@code docs/plan.md} describes.
     *
     * @throws EngineException if a parameter has no value or one of another type, which the message names; or
     * as above
     */
    public NativeRun run(String plan, Parameters values) {
        return run(bind(plan, values), RunOptions.DEFAULT);
    }

    /**
     * The plan in which each parameter is its value: the form that {@link #run(String, RunOptions)} and
     * {@link #runArrow} take.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     * @throws EngineException if a parameter has no value or one of another type, which the message names
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
            // The first call only gets the length.
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
     * Runs a pipeline in the engine, and gives its rows as Arrow record batches: writes an {@code
     * ArrowArrayStream} of the Arrow C Stream Interface to {@code room}. Arrow's Java library and every other
     * reader of that interface can consume it.
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
     * <p>A node is its id, of 32 bits without a sign; a count has 64 without a sign; an edge is a struct of
     * label, source, target and rank; a group or path a large list; a text a large one of UTF-8, a label a
     * dictionary of such. Where a row may be without a value there are nulls.
     *
     * <p>Nothing is read before the consumer's first call for a batch. For each batch, the engine allocates
     * memory outside of the Java heap, and copies its rows there: {@link RunOptions#batchRows}, fewer where
     * texts and lists exceed 16 MiB. This call itself allocates some hundred bytes.
     *
     * <p>The room is the caller's, before and after; its content is overwritten. The stream in it must be
     * released once, by its function {@code release}: consumers do that, early if they have enough. Until
     * then it keeps the file open, also after {@link #close}, and afterwards its batches live on, each until
     * it is released itself. It may be used from any thread, by one at a time. Errors of the run come out of
     * the consumer, with the engine's message: Arrow's library throws an {@link java.io.IOException}.
     *
     * @param room 40 bytes of native memory at a multiple of 8
     * @throws IllegalArgumentException if the room is not like that
     * @throws EngineException if the pipeline cannot be compiled for this graph; the message names the step,
     * and the room is as it was
     * @throws GraphClosedException if the graph is closed
     */
    public void runArrow(Pipeline pipeline, RunOptions options, MemorySegment room) {
        runArrow(pipeline.toJson(), options, room);
    }

    /**
     * The same to an address, as {@code ArrowArrayStream.memoryAddress()} gives it. Nothing can be checked of
     * it but that it is a multiple of 8: where it has no room, memory of others is overwritten, or the
     * process ends.
     */
    public void runArrow(Pipeline pipeline, RunOptions options, long address) {
        runArrow(pipeline.toJson(), options, address);
    }

    /** The same for a pipeline that is JSON already. */
    public void runArrow(String plan, RunOptions options, MemorySegment room) {
        send(Call.RUN_ARROW, plan, options, ArrowStream.checked(room));
    }

    /** The same for a pipeline that is JSON already, to an address. */
    public void runArrow(String plan, RunOptions options, long address) {
        send(Call.RUN_ARROW, plan, options, ArrowStream.at(address));
    }

    /**
     * Compiles a walk in the engine: {@link NativeWalk#from} begins one. Its memory is limited to a part of
     * the machine's, and 1024 results come at a time.
     *
     * @throws EngineException if the graph does not have its names, or its evaluators contradict each other
     * @throws GraphClosedException if the graph is closed
     */
    public NativeWalk walk(Walk walk) {
        return walk(walk, 0, NativeWalk.defaultBatch());
    }

    /**
     * The same with a limit of memory and a number of results for each call of the engine: only with 1 is the
     * path of each result available.
     *
     * @param memoryBytes most bytes that the walk may hold; 0 for the default
     * @param batch results that one call of the engine gives
     * @throws IllegalArgumentException if a number is negative, or a batch empty
     */
    public NativeWalk walk(Walk walk, long memoryBytes, int batch) {
        return walk(walk.toJson(), memoryBytes, batch);
    }

    /** The same for a walk that is JSON already: {@code docs/guide/walks.md} describes the form. */
    public NativeWalk walk(String description, long memoryBytes, int batch) {
        if (memoryBytes < 0 || batch < 1) {
            throw new IllegalArgumentException("memory: " + memoryBytes + " bytes, batch: " + batch + " results");
        }
        return NativeWalk.compile(this, description, memoryBytes, batch);
    }

    /**
     * Sends a plan to the engine, which writes the run's handle to {@code out}; if that fails, {@code out} is
     * as before.
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
     * The places in the source of nodes of a code property graph, in the order of the nodes: the file, the
     * line and the METHOD of each. One call for thousands of nodes, which allocates its answer: pass many at
     * once, with nodes of one METHOD side by side.
     *
     * @throws EngineException if there is no such node, or what was read is damaged
     * @throws GraphClosedException if the graph is closed
     */
    public List<Site> sites(int... nodes) {
        return CodeQuestions.sites(this, nodes, CodeQuestions.TEXT_BYTES);
    }

    /**
     * The CALLs that may reach any of some METHODs, rising and each once.
     *
     * @throws EngineException if there is no such node, the graph has no edges CALL, or what was read is
     * damaged
     * @throws GraphClosedException if the graph is closed
     */
    public int[] callsOf(int... methods) {
        return CodeQuestions.callsOf(this, methods);
    }

    /**
     * The METHODs that any of some METHODs may call, rising, each with the number of its calls.
     *
     * @throws EngineException if there is no such node, the graph has no edges CALL or CONTAINS, or what was
     * read is damaged
     * @throws GraphClosedException if the graph is closed
     */
    public List<Callee> calleesOf(int... methods) {
        return CodeQuestions.calleesOf(this, methods);
    }

    /**
     * Passes if no read through this graph, its properties and runs has met a value that can't be: values
     * read from a damaged place may be absent. Ask when an answer is complete.
     *
     * @throws EngineException the first damage that was met
     */
    public void check() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            Call.check((int) Call.GRAPH_CHECK.invokeExact(handle(), error), error);
        } catch (Throwable e) {
            throw failure(e);
        }
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

    /** The handle, for a call. One that is released meanwhile is an error of the engine, and no harm. */
    MemorySegment handle() {
        if (!held.isOpen().get()) {
            throw new GraphClosedException(path, null);
        }
        return handle;
    }

    /**
     * The exception for a call that failed: if the engine does not have the handle, the graph was released
     * meanwhile.
     */
    RuntimeException failure(Throwable thrown) {
        RuntimeException wrapped = Call.wrapped(thrown);
        boolean isStale = wrapped instanceof EngineException e && e.number() == Call.STALE_HANDLE && !held.isOpen().get();
        boolean isEnded = wrapped instanceof IllegalStateException && !handle.scope().isAlive();
        return isStale || isEnded ? new GraphClosedException(path, wrapped) : wrapped;
    }

    /**
     * Closes the graph in the engine, as soon as its properties are closed and their values released. Closing
     * twice is closing once.
     */
    @Override
    public void close() {
        held.giveBack();
    }
}
