package varvite.ffi;

import java.nio.file.Path;
import varvite.spi.Engine;
import varvite.spi.EngineProvider;

/** Lets {@link varvite.Graph} read what only the engine decodes. Found by {@link java.util.ServiceLoader}. */
public final class NativeEngineProvider implements EngineProvider {
    /** For {@link java.util.ServiceLoader}. */
    public NativeEngineProvider() {}

    @Override
    public Engine open(Path path, boolean checked) {
        return NativeGraph.open(path, checked);
    }
}
