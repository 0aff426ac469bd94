package varvite.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.error.VarviteException;

/** One file, open in the native engine. All methods may be called from any thread. */
public interface Engine extends AutoCloseable {
    /** Number of the commit that is open. */
    long generation();

    /** The identity of the file, as its header has it. */
    byte[] fileId();

    /** The checksum of the last record of the log of that commit; that of its directory, if there is none. */
    long directoryHash();

    /**
     * The plain bytes of a segment, read-only, for as long as {@code arena} lives; then they are given back.
     *
     * @throws VarviteException if its blocks are damaged
     */
    MemorySegment segment(int number, Arena arena);

    /**
     * Decodes plain bytes of a segment from {@code start} on, as many as {@code out}, which is native, has
     * room for: only the blocks that they are in.
     *
     * @throws VarviteException if one of these is damaged
     */
    void read(int number, long start, MemorySegment out);

    /** Bytes of private buffers that were made from segments. */
    long decodedBytes();

    /** Bytes that are pinned. */
    long pinnedBytes();

    /** Closes the file in the engine. Segments stay as long as their arena does. */
    @Override
    void close();
}
