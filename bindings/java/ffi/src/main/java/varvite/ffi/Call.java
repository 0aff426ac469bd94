package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import varvite.error.ChangeException;
import varvite.error.EngineException;

/**
 * Method handles for the C functions that this module calls, and methods that interpret their results. The
 * first use of this class makes the handles, which loads the library. Call {@link NativeLibrary#get} first,
 * so that its exception is not wrapped.
 */
final class Call {
    static final int OK = 0;
    static final int ABSENT = 1;
    static final int FILLED = 2;
    static final int BORROWED = 3;
    static final int PINNED = 4;
    static final int STALE_HANDLE = -3;
    static final int TOO_SMALL = -4;

    static final int NONE = -1;

    /**
     * The size of the C struct {@code varvite_error}, with the fields size, code, os_number, message_length,
     * message and operation.
     */
    static final long ERROR_BYTES = 520;
    private static final long CODE_AT = 4;
    private static final long OS_NUMBER_AT = 8;
    private static final long MESSAGE_AT = 16;
    private static final long OPERATION_AT = 512;
    private static final long NO_OPERATION = -1;

    // <functions> from `exports!` in bindings/c/src
    static final MethodHandle ERROR_NAME = handle("varvite_error_name", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    static final MethodHandle LIVE_HANDLES = handle("varvite_live_handles", FunctionDescriptor.of(JAVA_LONG));
    static final MethodHandle GRAPH_OPEN = handle("varvite_graph_open", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle GRAPH_OPEN_BYTES =
            handle("varvite_graph_open_bytes", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle GRAPH_RELEASE = handle("varvite_graph_release", ADDRESS);
    static final MethodHandle GRAPH_DESCRIBE = handle("varvite_graph_describe", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle GRAPH_CHECK = handle("varvite_graph_check", ADDRESS, ADDRESS);
    static final MethodHandle PROPERTY_FIND = handle("varvite_property_find", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle PROPERTY_OPEN = handle("varvite_property_open", ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle PROPERTY_RELEASE = handle("varvite_property_release", ADDRESS);
    static final MethodHandle FILL_OR_PIN = handle(
            "varvite_fill_or_pin", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle SEGMENT_PIN =
            handle("varvite_segment_pin", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle SEGMENT_READ =
            handle("varvite_segment_read", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle PIN_RELEASE = handle("varvite_pin_release", ADDRESS);
    static final MethodHandle GRAPH_MEMORY = handle("varvite_graph_memory", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle SHARED_BUDGET_NEW = handle("varvite_shared_budget_new", JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle SHARED_BUDGET_RELEASE = handle("varvite_shared_budget_release", ADDRESS);
    static final MethodHandle SHARED_BUDGET_USE = handle("varvite_shared_budget_use", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle IMPORT = handle("varvite_import", ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle RUN_ARROW = handle("varvite_run_arrow", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle APPLY_BYTES = handle(
            "varvite_apply_bytes", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle DROP_LAYERS = handle("varvite_drop_layers", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle LOG_BEGIN = handle("varvite_log_begin", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle LOG_COMMIT_BYTES = handle(
            "varvite_log_commit_bytes", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle LOG_SYNC = handle("varvite_log_sync", ADDRESS, ADDRESS);
    static final MethodHandle LOG_CHECKPOINT = handle("varvite_log_checkpoint", ADDRESS, ADDRESS);
    static final MethodHandle LOG_RECORDS = handle("varvite_log_records", ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle LOG_CLOSE = handle("varvite_log_close", ADDRESS, ADDRESS);
    static final MethodHandle LOG_RELEASE = handle("varvite_log_release", ADDRESS);
    static final MethodHandle SITES =
            handle("varvite_sites", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle CALLS_OF =
            handle("varvite_calls_of", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle CALLEES_OF =
            handle("varvite_callees_of", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle NEW_GRAPH_CREATE = handle("varvite_new_graph_create", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle NEW_GRAPH_RELEASE = handle("varvite_new_graph_release", ADDRESS);
    static final MethodHandle NEW_GRAPH_APPLY_BYTES =
            handle("varvite_new_graph_apply_bytes", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle NEW_GRAPH_FINISH = handle("varvite_new_graph_finish", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle RUN_PLAN = handle("varvite_run_plan", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle PLAN_BIND =
            handle("varvite_plan_bind", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle RUN_RELEASE = handle("varvite_run_release", ADDRESS);
    static final MethodHandle RUN_NEXT = handle("varvite_run_next", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle RUN_SIDE = handle("varvite_run_side", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle RUN_CANCEL = handle("varvite_run_cancel", ADDRESS, ADDRESS);
    static final MethodHandle RUN_COLUMN = handle("varvite_run_column", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle RUN_NUMBERS =
            handle("varvite_run_numbers", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle RUN_TEXT =
            handle("varvite_run_text", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle WALK_COMPILE =
            handle("varvite_walk_compile", ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle WALK_RELEASE = handle("varvite_walk_release", ADDRESS);
    static final MethodHandle WALK_BEGIN = handle("varvite_walk_begin", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle WALK_NEXT =
            handle("varvite_walk_next", ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle WALK_REST = handle("varvite_walk_rest", ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle WALK_PATH =
            handle("varvite_walk_path", ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle WALK_COUNT = handle("varvite_walk_count", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle WALK_CANCEL = handle("varvite_walk_cancel", ADDRESS, ADDRESS);
    // </functions>

    /**
     * The same function as {@link #PIN_RELEASE}, but it takes an address, so that no segment has to be
     * allocated.
     */
    static final MethodHandle PIN_RELEASE_AT = handle("varvite_pin_release", JAVA_LONG);

    private Call() {}

    private static MethodHandle handle(String name, MemoryLayout... parameters) {
        return handle(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        MemorySegment symbol = NativeLibrary.get().symbols().find(name).orElseThrow(() -> new IllegalStateException(name));
        return Linker.nativeLinker().downcallHandle(symbol, descriptor);
    }

    /**
     * The whole address space as a read-only segment, which is valid until {@code arena} is closed. With it,
     * memory at addresses that calls return can be read without a segment for each address.
     */
    static MemorySegment memory(Arena arena) {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE, arena, null).asReadOnly();
    }

    /** Allocates the error struct of a call. */
    static MemorySegment error(Arena arena) {
        MemorySegment error = arena.allocate(ERROR_BYTES, Long.BYTES);
        error.set(JAVA_INT, 0, (int) ERROR_BYTES);
        error.set(JAVA_LONG, OPERATION_AT, NO_OPERATION);
        return error;
    }

    /**
     * Returns the status of a call if the call succeeded, and throws an exception if it failed.
     *
     * @throws EngineException if the call failed
     * @throws ChangeException if the engine refused an operation of a diff
     */
    static int check(int status, MemorySegment error) {
        if (status >= 0) {
            return status;
        }
        int code = error.get(JAVA_INT, CODE_AT);
        String message = error.getString(MESSAGE_AT, StandardCharsets.UTF_8);
        long operation = error.get(JAVA_LONG, OPERATION_AT);
        if (operation != NO_OPERATION) {
            throw new ChangeException(operation, code, name(code), message);
        }
        throw new EngineException(code, name(code), error.get(JAVA_INT, OS_NUMBER_AT), message);
    }

    private static String name(int code) {
        try {
            MemorySegment name = (MemorySegment) ERROR_NAME.invokeExact(code);
            return name.equals(MemorySegment.NULL) ? "VARVITE_E_" + code : name.reinterpret(NAME_MAX).getString(0);
        } catch (Throwable e) {
            throw wrapped(e);
        }
    }

    private static final long NAME_MAX = 64;

    /** The number of the library's handles that are not released. */
    static long liveHandles() {
        try {
            return (long) LIVE_HANDLES.invokeExact();
        } catch (Throwable e) {
            throw wrapped(e);
        }
    }

    /**
     * Calls a function that takes only a handle. Any thread may do this, because the call gets a new error
     * struct. {@code failure} converts an exception of the call.
     */
    static void on(MethodHandle function, MemorySegment handle, Function<Throwable, RuntimeException> failure) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = error(arena);
            check((int) function.invokeExact(handle, error), error);
        } catch (Throwable e) {
            throw failure.apply(e);
        }
    }

    /**
     * The handle as memory that belongs to an arena. Closing the arena releases the handle. The arena cannot
     * be closed while a call uses the handle.
     */
    static MemorySegment owned(MemorySegment handle, Arena arena, MethodHandle release) {
        return handle.reinterpret(arena, ended -> release(release, ended));
    }

    /** Releases a handle by the release function of its kind. */
    static void release(MethodHandle function, MemorySegment handle) {
        try {
            int status = (int) function.invokeExact(handle);
            assert status == OK : status;
        } catch (Throwable e) {
            throw wrapped(e);
        }
    }

    /**
     * Converts the exception of a method handle, which is declared as {@link Throwable}, to a
     * {@link RuntimeException}.
     */
    static RuntimeException wrapped(Throwable thrown) {
        if (thrown instanceof RuntimeException runtime) {
            return runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown);
    }
}
