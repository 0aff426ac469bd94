package varvite;

/** The way in which the bytes of a file come into memory. */
public enum OpenMode {
    /**
     * By a map of the file: fast, and nothing is copied. No program may shorten the file while it is open.
     */
    MAPPED,
    /**
     * By a map, with every block of a column checked against its checksum when the column is opened: for
     * files from strangers.
     */
    CHECKED,
    /**
     * By reading all of it when it is opened, into memory outside of the Java heap, and checking as
     * {@link #CHECKED} does: for files that others may shorten or write to, on network file systems for one.
     * Costs a reading of the file, and its length in memory.
     */
    BUFFERED
}
