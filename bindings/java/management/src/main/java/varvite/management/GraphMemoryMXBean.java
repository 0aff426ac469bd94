package varvite.management;

import java.util.List;

/**
 * What all open graphs of this process take of the machine, in bytes; registered as
 * {@code varvite:type=GraphMemory}.
 *
 * <p>Each attribute is computed when it is asked for. Resident bytes cost a reading of
 * {@code /proc/self/smaps}, a millisecond or more.
 */
public interface GraphMemoryMXBean {
    /** How many graphs are open: one that rises forever is a graph that nobody closes. */
    int getOpenGraphs();

    /** Addresses of mapped files. */
    long getMappedBytes();

    /** Segments of columns that were opened: what may become resident. */
    long getTouchedBytes();

    /** Pages of mapped files that are in memory now; -1 where the operating system does not tell. */
    long getResidentBytes();

    /** Private buffers of decoded blocks. */
    long getDecodedBytes();

    /** Decoded bytes that somebody holds. */
    long getPinnedBytes();

    /** The same for each graph. */
    List<GraphUsage> getGraphs();
}
