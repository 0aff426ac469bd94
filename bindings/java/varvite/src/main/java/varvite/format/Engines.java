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
 * The native engine, where the module {@code varvite.ffi} is present: looked for once, when a coded column is
 * first met.
 */
final class Engines {
    private static final Optional<EngineProvider> PROVIDER =
            ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).findFirst();

    private Engines() {}

    /** Whether there is one. */
    static boolean isPresent() {
        return PROVIDER.isPresent();
    }

    /** A budget of the engine. */
    static EngineBudget budget(long bytes) {
        return PROVIDER.orElseThrow().budget(bytes);
    }

    /**
     * Opens this file in the engine, until {@code arena} ends: the bytes of our own map, which another
     * program may have changed.
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
