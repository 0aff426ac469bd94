package varvite;

import varvite.format.GraphFile;
import varvite.format.ResidentMemory;

/**
 * The memory of an open graph, in bytes.
 *
 * <p>Mapped bytes are address space, not memory. Resident bytes are memory that the operating system shares
 * with its cache of the file and can reclaim at any time. The engine decodes compressed columns on first use;
 * decoded columns stay in memory until the graph is closed.
 *
 * @param mapped bytes of address space that the file is mapped to
 * @param touched bytes of the segments of opened columns, which may become resident
 * @param resident bytes of the map's pages that are in memory now, or -1 if the operating system does not
 * report it
 * @param decoded bytes of private buffers that hold decoded blocks
 * @param pinned decoded bytes that readers are using
 */
public record GraphMemory(long mapped, long touched, long resident, long decoded, long pinned) {
    static GraphMemory of(GraphFile file) {
        long mapped = file.map().byteSize();
        long[] engine = file.decodedAndPinnedBytes();
        return new GraphMemory(mapped, file.touchedBytes(), ResidentMemory.of(file.map()), engine[0], engine[1]);
    }
}
