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
     * The checksum of the last log record after the open commit; without a log record, the checksum of the
     * commit's directory.
     */
    long directoryHash();

    /**
     * The plain bytes of a segment, read-only. They are valid until {@code arena} is closed, which releases
     * them.
     *
     * @throws VarviteException if a block of the segment is damaged
     */
    MemorySegment segment(int number, Arena arena);

    /**
     * Fills {@code out}, which must be native memory, with plain bytes of a segment from {@code start} on.
     * Decodes only the blocks that contain these bytes.
     *
     * @throws VarviteException if one of these blocks is damaged
     */
    void read(int number, long start, MemorySegment out);

    /** The number of bytes in private buffers that hold decoded segments. */
    long decodedBytes();

    /** The number of pinned bytes. */
    long pinnedBytes();

    /** Closes the file in the engine. Segments stay valid until their arena is closed. */
    @Override
    void close();
}
