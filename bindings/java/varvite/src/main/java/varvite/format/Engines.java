package varvite.format;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Optional;
import java.util.ServiceLoader;
import varvite.error.UnsupportedFileException;
import varvite.spi.Engine;
import varvite.spi.EngineBudget;
import varvite.spi.EngineProvider;

/**
 * Access to the native engine, which the module {@code varvite.ffi} provides if it is present. The engine is
 * looked up once, on the first use of this class.
 */
final class Engines {
    private static final Optional<EngineProvider> PROVIDER =
            ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).findFirst();

    private Engines() {}

    /** Whether the native engine is present. */
    static boolean isPresent() {
        return PROVIDER.isPresent();
    }

    /** Creates a budget in the engine. */
    static EngineBudget budget(long bytes) {
        return PROVIDER.orElseThrow().budget(bytes);
    }

    /**
     * Opens the file in the engine, for use until {@code arena} is closed. The engine reads the bytes of this
     * process's map, which another program may have changed.
     */
    static Engine open(GraphFile file, Arena arena, MapBudget budget) {
        EngineProvider provider = PROVIDER.orElseThrow();
        Engine engine = budget == null
                ? provider.open(file.path(), file.map(), arena)
                : provider.open(file.path(), file.map(), arena, budget.engine());
        if (isSame(file, engine)) {
            return engine;
        }
        engine.close();
        throw new UnsupportedFileException(
                file.path(),
                UnsupportedFileException.REPLACED,
                "the file was written to after this graph was opened; close the graph and open it again");
    }

    private static boolean isSame(GraphFile file, Engine engine) {
        return engine.generation() == file.generation()
                && engine.directoryHash() == file.log().checksum()
                && Arrays.equals(engine.fileId(), file.header().fileId());
    }
}
