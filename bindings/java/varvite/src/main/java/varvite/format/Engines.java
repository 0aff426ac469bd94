package varvite.format;

import java.util.Arrays;
import java.util.Optional;
import java.util.ServiceLoader;
import varvite.error.UnsupportedFileException;
import varvite.spi.Engine;
import varvite.spi.EngineProvider;

/** The native engine, where the module {@code varvite.ffi} is present: looked for once, when a coded column is first met. */
final class Engines {
    private static final Optional<EngineProvider> PROVIDER =
            ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).findFirst();

    private Engines() {}

    /** Whether there is one. */
    static boolean isPresent() {
        return PROVIDER.isPresent();
    }

    /** Opens in the engine what is open here; the file at the path may be another one by now. */
    static Engine open(GraphFile file, boolean checked) {
        Engine engine = PROVIDER.orElseThrow().open(file.path(), checked);
        if (engine.generation() == file.generation() && Arrays.equals(engine.fileId(), file.header().fileId())) {
            return engine;
        }
        engine.close();
        throw new UnsupportedFileException(
                file.path(),
                UnsupportedFileException.REPLACED,
                "the file was replaced after this graph was opened; close the graph and open it again");
    }
}
