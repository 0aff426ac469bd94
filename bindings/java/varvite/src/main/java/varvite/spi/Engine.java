package varvite.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.error.VarviteException;

/** A file that is open in the native engine. All methods may be called from any thread. */
public interface Engine extends AutoCloseable {
    /** The generation of the open commit. */
    long generation();

    /** The file id in the header of the file. */
    byte[] fileId();

    /**
     * The checksum of the last record of the open commit's log, or of the commit's directory if it has no
     * log.
     */
    long directoryHash();

    /**
     * The plain bytes of a segment, read-only. They are valid until {@code arena} is closed, and released
     * then.
     *
     * @throws VarviteException if a block of the segment is damaged
     */
    MemorySegment segment(int number, Arena arena);

    /**
     * Copies plain bytes of a segment, from {@code start} on, until {@code out} is full; {@code out} must be
     * native memory. Only the blocks with these bytes are decoded.
     *
     * @throws VarviteException if one of these blocks is damaged
     */
    void read(int number, long start, MemorySegment out);

    /** The bytes of private buffers with decoded segments. */
    long decodedBytes();

    /** The bytes that are pinned. */
    long pinnedBytes();

    /** Closes the file in the engine. Segments stay valid until their arena is closed. */
    @Override
    void close();
}
