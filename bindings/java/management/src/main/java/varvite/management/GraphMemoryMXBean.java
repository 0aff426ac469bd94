package varvite.management;

import java.util.List;

/**
 * The memory of all open graphs of this process, in bytes. The bean is registered as
 * {@code varvite:type=GraphMemory}.
 *
 * <p>An attribute is computed when a client reads it. The resident bytes need a read of
 * {@code /proc/self/smaps}, which takes a millisecond or more.
 */
public interface GraphMemoryMXBean {
    /** The number of open graphs. If this number keeps growing, the program forgets to close graphs. */
    int getOpenGraphs();

    /** The bytes of address space that files are mapped to. */
    long getMappedBytes();

    /** The bytes of the segments of opened columns, which may become resident. */
    long getTouchedBytes();

    /** The bytes of mapped files that are in memory now; -1 if the operating system does not report it. */
    long getResidentBytes();

    /** The bytes of private buffers that hold decoded blocks. */
    long getDecodedBytes();

    /** The decoded bytes that readers have pinned. */
    long getPinnedBytes();

    /** The memory of each open graph. */
    List<GraphUsage> getGraphs();
}
