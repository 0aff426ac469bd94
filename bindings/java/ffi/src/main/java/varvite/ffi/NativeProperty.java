package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.spi.Lifetime;

/**
 * A property in the native engine, which reads values as bytes. A value is copied or pinned in place,
 * whichever is cheaper.
 *
 * <p>Compressed texts are decoded block by block, and the engine caches unused blocks within its memory
 * limit. For uncompressed columns, {@link varvite.BytesProperty} is faster, because it makes no native calls.
 * May be used by any number of threads.
 */
public final class NativeProperty implements AutoCloseable {
    /**
     * The size in bytes up to which copying a value of a decoded block is not slower than pinning it; {@code
     * docs/decisions/0015-copy-values-up-to-1-kib.md} has the measurement.
     */
    public static final long THRESHOLD_BYTES = 1024;

    private static final Value.Absent ABSENT = new Value.Absent();

    private static final ThreadLocal<Results> RESULTS = ThreadLocal.withInitial(() -> new Results(Arena.ofAuto()));

    private final Lifetime lifetime;
    private final MemorySegment handle;
    private final MemorySegment memory;

    private NativeProperty(NativeGraph graph, MemorySegment handle) {
        lifetime = new Lifetime(graph.path());
        this.handle = Call.owned(handle, lifetime.arena(), Call.PROPERTY_RELEASE);
        memory = Call.memory(lifetime.arena());
        lifetime.endWith(this);
    }

    static NativeProperty open(NativeGraph graph, int edgeLabel, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment number = arena.allocate(JAVA_INT);
            MemorySegment opened = arena.allocate(ADDRESS);
            MemorySegment cName = Words.name(arena, "the name of a property", name);
            Call.check((int) Call.PROPERTY_FIND.invokeExact(graph.handle(), edgeLabel, cName, number, error), error);
            Call.check((int) Call.PROPERTY_OPEN.invokeExact(graph.handle(), number.get(JAVA_INT, 0), opened, error), error);
            return new NativeProperty(graph, opened.get(ADDRESS, 0));
        } catch (Throwable e) {
            throw graph.failure(e);
        }
    }

    /**
     * The first value of {@code owner} as bytes: the bytes of a text or a byte array, or a little-endian
     * number of the size of its type.
     *
     * <p>The result is {@link Value.Borrowed} if the bytes are in the graph's memory or if there are more
     * than {@code threshold}. Otherwise it is {@link Value.Filled} if the bytes were copied to
     * {@code buffer}, which must be native memory, or {@link Value.TooSmall} if they do not fit there. Unlike
     * a {@link #cursor}, this allocates the result.
     *
     * @throws EngineException if the owner does not exist, or the column is damaged
     * @throws GraphClosedException if the property is closed
     */
    public Value fillOrPin(int owner, MemorySegment buffer, long threshold) {
        Results results = RESULTS.get();
        return switch (call(owner, buffer, threshold, results)) {
            case Call.ABSENT -> ABSENT;
            case Call.FILLED -> new Value.Filled(results.length());
            case Call.BORROWED -> new Value.Borrowed(results.bytes().reinterpret(results.length(), lifetime.arena(), null).asReadOnly(), null);
            case Call.PINNED -> pinned(results.bytes(), results.length(), MemorySegment.ofAddress(results.pin()));
            default -> new Value.TooSmall(results.length());
        };
    }

    /**
     * The same as {@link #fillOrPin(int, MemorySegment, long)}, with the threshold {@link #THRESHOLD_BYTES}.
     * The buffer should have at least that size.
     */
    public Value fillOrPin(int owner, MemorySegment buffer) {
        return fillOrPin(owner, buffer, THRESHOLD_BYTES);
    }

    /** Calls the engine and returns its status. Allocates nothing. */
    int call(int owner, MemorySegment buffer, long threshold, Results results) {
        int status;
        try {
            status = (int) Call.FILL_OR_PIN.invokeExact(
                    handle,
                    owner,
                    buffer,
                    buffer.byteSize(),
                    threshold,
                    results.address,
                    results.length,
                    results.pin,
                    results.error);
        } catch (Throwable e) {
            throw lifetime.failure(Call.wrapped(e));
        }
        return status == Call.TOO_SMALL ? status : Call.check(status, results.error);
    }

    /**
     * The whole address space as a read-only segment that is valid until the property is closed. For reads at
     * the addresses of borrowed values.
     */
    MemorySegment memory() {
        return memory;
    }

    /**
     * A cursor over values, which one thread may reuse for many owners and must close. Allocates the cursor.
     */
    public ValueCursor cursor() {
        return new ValueCursor(this);
    }

    private static Value pinned(MemorySegment address, long length, MemorySegment pin) {
        Arena held = Arena.ofShared();
        MemorySegment bytes = address.reinterpret(length, held, ignored -> Call.release(Call.PIN_RELEASE, pin));
        return new Value.Borrowed(bytes.asReadOnly(), held);
    }

    /** The lifetime of the property. */
    Lifetime lifetime() {
        return lifetime;
    }

    /**
     * Closes the property. Bytes that were borrowed without a pin become invalid. A second call has no
     * effect.
     *
     * @throws varvite.error.GraphBusyException if a call of another thread does not end in time
     */
    @Override
    public void close() {
        lifetime.close();
    }
}
