package varvite;

/** The way in which a file is read: mapped or copied, with or without checking checksums. */
public enum OpenMode {
    /**
     * The file is mapped. This is fast, and nothing is copied, but no program may shorten the file while it
     * is open.
     */
    MAPPED,
    /**
     * The file is mapped, and when a column is opened, all its blocks are checked against their checksums.
     * For untrusted files.
     */
    CHECKED,
    /**
     * When the file is opened, it is read as a whole into memory outside the Java heap; its blocks are
     * checked as with {@link #CHECKED}. For files that other programs may shorten or write to, for example on
     * network file systems. Costs one read of the file, and as much memory as the file is long.
     */
    BUFFERED
}
