package varvite;

/** The way in which a file is read: mapped or copied, with or without checks of checksums. */
public enum OpenMode {
    /**
     * The file is mapped: fast, and nothing is copied. No program may shorten the file while it is open.
     */
    MAPPED,
    /**
     * The file is mapped, and every block of a column is checked against its checksum when the column is
     * opened: for untrusted files.
     */
    CHECKED,
    /**
     * The whole file is read into memory outside of the Java heap when it is opened, and checked as with
     * {@link #CHECKED}: for files that other programs may shorten or write to, for example on network file
     * systems. Costs one read of the file, and as much memory as the file is long.
     */
    BUFFERED
}
