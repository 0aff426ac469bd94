package varvite.ffi;

/** The durability of a commit to a {@link GraphLog} when its call returns. */
public enum Durability {
    /** The commit survives a power failure. */
    SYNC,
    /**
     * The commit survives the end of this process, and a power failure only if a later commit was synced.
     * After a power failure the file is at this commit or at an earlier one, never between two commits.
     */
    BUFFERED
}
