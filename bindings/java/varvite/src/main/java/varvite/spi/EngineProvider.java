package varvite.spi;

import java.nio.file.Path;
import varvite.error.VarviteException;

/** Opens files in the native engine. */
public interface EngineProvider {
    /**
     * Opens a file.
     *
     * @param checked whether every block of it is to be read and checked, as for files from strangers
     * @throws VarviteException if there is no native library for this machine, or the file cannot be opened
     */
    Engine open(Path path, boolean checked);
}
