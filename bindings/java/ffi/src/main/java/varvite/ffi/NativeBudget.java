package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import varvite.spi.EngineBudget;
import varvite.spi.Lifetime;

/** A budget of the native engine. Given back also when nobody can reach it; graphs that share it keep it there. */
final class NativeBudget implements EngineBudget {
    private static final long USE_BYTES = 40;
    private static final long HELD_AT = 8;

    private final Held held;

    /** The handle of a budget, given back once. */
    private record Held(MemorySegment handle, AtomicBoolean isOpen) {
        void release() {
            if (!isOpen.compareAndSet(true, false)) {
                return;
            }
            try {
                int status = (int) Call.SHARED_BUDGET_RELEASE.invokeExact(handle);
                assert status == Call.OK : status;
            } catch (Throwable e) {
                throw Call.wrapped(e);
            }
        }
    }

    private NativeBudget(MemorySegment handle) {
        held = new Held(handle, new AtomicBoolean(true));
        Lifetime.whenLost(this, held::release);
    }

    static NativeBudget of(long bytes) {
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment budget = arena.allocate(ADDRESS);
            Call.check((int) Call.SHARED_BUDGET_NEW.invokeExact(bytes, budget, error), error);
            return new NativeBudget(budget.get(ADDRESS, 0));
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /** For the options of a graph. */
    MemorySegment handle() {
        return held.handle;
    }

    @Override
    public void close() {
        held.release();
    }

    @Override
    public long heldBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment use = arena.allocate(USE_BYTES, Long.BYTES);
            Call.check((int) Call.SHARED_BUDGET_USE.invokeExact(held.handle, use, USE_BYTES, error), error);
            return use.get(JAVA_LONG, HELD_AT);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }
}
