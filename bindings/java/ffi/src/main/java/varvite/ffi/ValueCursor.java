package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.spi.Lifetime;

/**
 * Reads one value after another as bytes, without allocation. Values are copied or pinned as by
 * {@link NativeProperty#fillOrPin}:
 *
 * <pre>{@code
 * try (ValueCursor value = property.cursor()) {
 *     for (int call = calls.next(0); call >= 0; call = calls.next(call + 1)) {
 *         if (value.fillOrPin(call, buffer) != ValueCursor.Result.ABSENT) {
 *             sum += value.get(0);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A cursor holds at most one pin, which the next call or {@link #close} releases. Only one thread may use
 * a cursor.
 */
public final class ValueCursor implements AutoCloseable {
    /** The result of reading a value. */
    public enum Result {
        /** There is no value, or it is null. */
        ABSENT,
        /** The value was copied to the start of the caller's buffer. */
        FILLED,
        /** The value is in the engine's memory and valid until the next call. */
        BORROWED,
        /** The value does not fit in the caller's buffer, and was not copied. {@link #length} is its size. */
        TOO_SMALL
    }

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final NativeProperty property;
    private final Lifetime lifetime;
    /**
     * The memory for results. It is garbage-collected with the cursor, so that calls do not have to keep an
     * arena open for this memory.
     */
    private final Results results = new Results(Arena.ofAuto());
    /**
     * The whole address space as a segment that is valid until the cursor is closed, because pinned bytes
     * outlive their property.
     */
    private final MemorySegment memory;
    private MemorySegment place = MemorySegment.NULL;
    private long offset;
    private long length;
    private long readable;
    private final Pin pin = new Pin();

    ValueCursor(NativeProperty property) {
        this.property = property;
        lifetime = new Lifetime(property.lifetime().path());
        memory = Call.memory(lifetime.arena());
        lifetime.afterwards(pin::release);
        lifetime.endWith(this);
    }

    /**
     * The pin that a cursor holds, if any. This object does not refer to the cursor, so that the pin of an
     * unclosed cursor can be released when the cursor is garbage-collected.
     */
    private static final class Pin {
        /** The address of the pin; 0 if there is none. */
        private long held;

        void release() {
            long address = held;
            held = 0;
            if (address == 0) {
                return;
            }
            try {
                int status = (int) Call.PIN_RELEASE_AT.invokeExact(address);
                assert status == Call.OK : status;
            } catch (Throwable e) {
                throw Call.wrapped(e);
            }
        }
    }

    /**
     * Moves to the first value of {@code owner}, and releases the previous value.
     *
     * @throws EngineException if the owner does not exist, or the column is damaged
     * @throws GraphClosedException if the property or the cursor is closed
     */
    public Result fillOrPin(int owner, MemorySegment buffer, long threshold) {
        lifetime.checkOpen();
        pin.release();
        readable = 0;
        int status = property.call(owner, buffer, threshold, results);
        length = results.length();
        return switch (status) {
            case Call.ABSENT -> Result.ABSENT;
            case Call.FILLED -> at(buffer, 0, Result.FILLED);
            case Call.BORROWED -> at(property.memory(), results.address(), Result.BORROWED);
            case Call.PINNED -> {
                pin.held = results.pin();
                yield at(memory, results.address(), Result.BORROWED);
            }
            default -> Result.TOO_SMALL;
        };
    }

    /**
     * The same as {@link #fillOrPin(int, MemorySegment, long)}, with the threshold
     * {@link NativeProperty#THRESHOLD_BYTES}.
     */
    public Result fillOrPin(int owner, MemorySegment buffer) {
        return fillOrPin(owner, buffer, NativeProperty.THRESHOLD_BYTES);
    }

    private Result at(MemorySegment place, long offset, Result result) {
        this.place = place;
        this.offset = offset;
        readable = length;
        return result;
    }

    /** The length of the value in bytes; 0 if it is absent. */
    public long length() {
        return length;
    }

    /**
     * Byte number {@code index}.
     *
     * @throws IndexOutOfBoundsException if the value has no byte with that number
     * @throws GraphClosedException if the property or the cursor is closed
     */
    public byte get(long index) {
        long at = offset + Objects.checkIndex(index, readable);
        try {
            return place.get(JAVA_BYTE, at);
        } catch (IllegalStateException e) {
            throw property.lifetime().failure(e);
        }
    }

    /**
     * The eight bytes from {@code index} on, as a little-endian number. Throws the same exceptions as
     * {@link #get}.
     */
    public long getLong(long index) {
        long at = offset + Objects.checkFromIndexSize(index, Long.BYTES, readable);
        try {
            return place.get(LONG, at);
        } catch (IllegalStateException e) {
            throw property.lifetime().failure(e);
        }
    }

    /**
     * Copies the value to {@code out}, from index {@code at} on.
     *
     * @return the number of copied bytes. If the value does not fit, nothing is copied and the result is
     * {@code ~n}, the complement of its length {@code n}, which is reported as at most
     * {@link Integer#MAX_VALUE}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        if (readable > out.length - at) {
            return ~(int) Math.min(readable, Integer.MAX_VALUE);
        }
        try {
            MemorySegment.copy(place, JAVA_BYTE, offset, out, at, (int) readable);
        } catch (IllegalStateException e) {
            throw property.lifetime().failure(e);
        }
        return (int) readable;
    }

    /** Releases the cursor's pin and memory. A second call has no effect. */
    @Override
    public void close() {
        readable = 0;
        lifetime.close();
    }
}
