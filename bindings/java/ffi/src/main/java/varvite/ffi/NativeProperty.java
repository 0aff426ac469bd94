package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;

/**
 * A property in the native engine: its values as bytes, copied or lent, whichever is cheaper.
 *
 * <p>Texts that were compressed are decoded block by block, and blocks that nobody holds are kept within the engine's limit of memory.
 * For columns that lie in the file as they are, {@link varvite.BytesProperty} is faster: it makes no call at all. May be used by any
 * number of threads.
 */
public final class NativeProperty implements AutoCloseable {
    private static final Value.Absent ABSENT = new Value.Absent();

    /** Results of a call: address, length, pin, error. */
    private static final long LENGTH_AT = 8;
    private static final long PIN_AT = 16;
    private static final long ERROR_AT = 24;
    private static final long SCRATCH_BYTES = ERROR_AT + Call.ERROR_BYTES;
    private static final ThreadLocal<MemorySegment> SCRATCH = ThreadLocal.withInitial(NativeProperty::scratch);

    private final NativeGraph graph;
    private final MemorySegment handle;
    private final Arena arena = Arena.ofShared();
    private final AtomicBoolean open = new AtomicBoolean(true);

    private NativeProperty(NativeGraph graph, MemorySegment handle) {
        this.graph = graph;
        // Tied to the arena: while it is in a call, the arena cannot be closed and the property cannot end.
        this.handle = handle.reinterpret(arena, NativeProperty::release);
    }

    static NativeProperty open(NativeGraph graph, int edgeLabel, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment number = arena.allocate(JAVA_INT);
            MemorySegment opened = arena.allocate(ADDRESS);
            MemorySegment cName = arena.allocateFrom(name);
            Call.check((int) Call.PROPERTY_FIND.invokeExact(graph.handle(), edgeLabel, cName, number, error), error);
            Call.check((int) Call.PROPERTY_OPEN.invokeExact(graph.handle(), number.get(JAVA_INT, 0), opened, error), error);
            return new NativeProperty(graph, opened.get(ADDRESS, 0));
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    private static MemorySegment scratch() {
        MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES);
        scratch.set(JAVA_INT, ERROR_AT, (int) Call.ERROR_BYTES);
        return scratch;
    }

    /**
     * The first value of {@code owner} as bytes: text, bytes, or a number in the bytes of its type, little-endian.
     *
     * <p>{@link Value.Borrowed} where they lie in memory anyway, or are more than {@code threshold}; {@link Value.Filled} where they are
     * copied to {@code buffer}, which is native; {@link Value.TooSmall} where they should be and do not fit.
     *
     * @throws EngineException if there is no such owner, or the column is damaged
     * @throws GraphClosedException if the property is closed
     */
    public Value fillOrPin(int owner, MemorySegment buffer, long threshold) {
        MemorySegment scratch = SCRATCH.get();
        MemorySegment error = scratch.asSlice(ERROR_AT);
        int status;
        try {
            status = (int) Call.FILL_OR_PIN.invokeExact(
                    handle, owner, buffer, buffer.byteSize(), threshold, scratch, scratch.asSlice(LENGTH_AT), scratch.asSlice(PIN_AT), error);
        } catch (IllegalStateException e) {
            throw open.get() ? e : new GraphClosedException(graph.path(), e);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
        long length = scratch.get(JAVA_LONG, LENGTH_AT);
        return switch (status) {
            case Call.ABSENT -> ABSENT;
            case Call.FILLED -> new Value.Filled(length);
            case Call.BORROWED -> new Value.Borrowed(
                    scratch.get(ADDRESS, 0).reinterpret(length, arena, null).asReadOnly(), null);
            case Call.PINNED -> pinned(scratch.get(ADDRESS, 0), length, scratch.get(ADDRESS, PIN_AT));
            case Call.TOO_SMALL -> new Value.TooSmall(length);
            default -> throw new IllegalStateException("status " + Call.check(status, error));
        };
    }

    private static Value pinned(MemorySegment address, long length, MemorySegment pin) {
        Arena held = Arena.ofShared();
        MemorySegment bytes = address.reinterpret(length, held, ignored -> NativeGraph.release(pin));
        return new Value.Borrowed(bytes.asReadOnly(), held);
    }

    private static void release(MemorySegment handle) {
        try {
            int status = (int) Call.PROPERTY_RELEASE.invokeExact(handle);
            assert status == Call.OK : status;
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /** Closes the property: bytes that were borrowed without a pin are dead. Closing twice is closing once. */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            arena.close();
        }
    }
}
