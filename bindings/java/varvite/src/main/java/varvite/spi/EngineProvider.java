package varvite.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import varvite.error.VarviteException;

/** Opens files in the native engine. */
public interface EngineProvider {
    /**
     * Opens a file that is in memory. The engine checks every block of the file when it reads the block.
     *
     * @param path the path of the file, for messages
     * @param bytes the whole file, in native memory
     * @param arena the arena of the bytes. The arena can't be closed during a call of the engine; once it is
     * closed, calls fail.
     * @throws VarviteException if no native library for this machine is found, or the file cannot be opened
     */
    Engine open(Path path, MemorySegment bytes, Arena arena);

    /**
     * Opens a file that is in memory, within a budget from {@link #budget} that several files share.
     *
     * @throws VarviteException if no native library for this machine is found, the file cannot be opened, or
     * the file's tables do not fit in the budget
     */
    Engine open(Path path, MemorySegment bytes, Arena arena, EngineBudget budget);

    /**
     * Creates a budget of {@code bytes} bytes.
     *
     * @throws VarviteException if no native library for this machine is found
     */
    EngineBudget budget(long bytes);
}
