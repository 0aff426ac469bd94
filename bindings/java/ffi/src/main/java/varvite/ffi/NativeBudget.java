package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.spi.EngineBudget;
import varvite.spi.Lifetime;

/**
 * A budget of the native engine. An unreachable object is closed; the engine keeps the budget until no open
 * graph shares it.
 */
final class NativeBudget implements EngineBudget {
    private static final long USE_BYTES = 40;
    private static final long HELD_AT = 8;

    private final Held held;

    private NativeBudget(MemorySegment handle) {
        held = new Held(handle, Call.SHARED_BUDGET_RELEASE);
        Lifetime.whenLost(this, held::giveBack);
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

    /** The handle, for the options with which a graph is opened. */
    MemorySegment handle() {
        return held.handle();
    }

    @Override
    public void close() {
        held.giveBack();
    }

    @Override
    public long heldBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment use = arena.allocate(USE_BYTES, Long.BYTES);
            Call.check((int) Call.SHARED_BUDGET_USE.invokeExact(held.handle(), use, USE_BYTES, error), error);
            return use.get(JAVA_LONG, HELD_AT);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }
}
