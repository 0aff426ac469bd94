package varvite.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import varvite.spi.Engine;
import varvite.spi.EngineBudget;
import varvite.spi.EngineProvider;

/**
 * Lets {@link varvite.Graph} read blocks that only the engine can decode. {@link java.util.ServiceLoader}
 * finds this class.
 */
public final class NativeEngineProvider implements EngineProvider {
    /** The constructor for {@link java.util.ServiceLoader}. */
    public NativeEngineProvider() {}

    @Override
    public Engine open(Path path, MemorySegment bytes, Arena arena) {
        return NativeGraph.open(path, bytes, arena, null);
    }

    @Override
    public Engine open(Path path, MemorySegment bytes, Arena arena, EngineBudget budget) {
        return NativeGraph.open(path, bytes, arena, budget);
    }

    @Override
    public EngineBudget budget(long bytes) {
        return NativeBudget.of(bytes);
    }
}
