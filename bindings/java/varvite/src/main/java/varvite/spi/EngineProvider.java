package varvite.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import varvite.error.VarviteException;

/** Opens files in the native engine. */
public interface EngineProvider {
    /**
     * Opens a file that is in memory. Every block of it is checked when it is read.
     *
     * @param path where the file was, for messages
     * @param bytes all of it, native
     * @param arena the lifetime of the bytes: calls of the engine keep it from ending while they run, and
     * fail afterwards
     * @throws VarviteException if there is no native library for this machine, or the file cannot be opened
     */
    Engine open(Path path, MemorySegment bytes, Arena arena);

    /**
     * The same within a budget that the file shares with others, one that {@link #budget} gave.
     *
     * @throws VarviteException if there is no native library for this machine, the file cannot be opened, or
     * its tables have no room
     */
    Engine open(Path path, MemorySegment bytes, Arena arena, EngineBudget budget);

    /**
     * A budget of so many bytes.
     *
     * @throws VarviteException if there is no native library for this machine
     */
    EngineBudget budget(long bytes);
}
