package varvite;

import varvite.format.GraphFile;
import varvite.format.ResidentMemory;

/**
 * The memory of an open graph, in bytes.
 *
 * <p>Mapped bytes are addresses, not memory. Resident ones are memory that the operating system shares with
 * its cache of the file and takes back when it needs it. Columns that are coded are decoded by the engine,
 * when they are first touched, and stay until the graph is closed.
 *
 * @param mapped addresses of the file
 * @param touched segments of opened columns, which may become resident
 * @param resident pages of the map that are in memory now, or -1 where the operating system does not report
 *     it
 * @param decoded private buffers of decoded blocks
 * @param pinned decoded bytes in use by readers
 */
public record GraphMemory(long mapped, long touched, long resident, long decoded, long pinned) {
    static GraphMemory of(GraphFile file) {
        long mapped = file.map().byteSize();
        long[] engine = file.decodedAndPinnedBytes();
        return new GraphMemory(mapped, file.touchedBytes(), ResidentMemory.of(file.map()), engine[0], engine[1]);
    }
}
