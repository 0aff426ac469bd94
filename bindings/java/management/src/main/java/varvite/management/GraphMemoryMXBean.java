package varvite.management;

import java.util.List;

/**
 * The memory of all open graphs of this process, in bytes; registered as {@code varvite:type=GraphMemory}.
 *
 * <p>Each attribute is computed on read. Resident bytes cost a reading of {@code /proc/self/smaps}, a
 * millisecond or more.
 */
public interface GraphMemoryMXBean {
    /** The number of open graphs: a number that rises forever shows graphs that the program never closes. */
    int getOpenGraphs();

    /** Addresses of mapped files. */
    long getMappedBytes();

    /** Segments of opened columns, which may become resident. */
    long getTouchedBytes();

    /** Pages of mapped files that are in memory now; -1 where the operating system does not report it. */
    long getResidentBytes();

    /** Private buffers of decoded blocks. */
    long getDecodedBytes();

    /** Decoded bytes in use by readers. */
    long getPinnedBytes();

    /** The same for each graph. */
    List<GraphUsage> getGraphs();
}
