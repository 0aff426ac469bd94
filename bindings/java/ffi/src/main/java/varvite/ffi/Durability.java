package varvite.ffi;

/** The durability of a commit to a {@link GraphLog} when the call returns. */
public enum Durability {
    /** The commit survives a power failure. */
    SYNC,
    /**
     * The commit survives the end of this process, but survives a power failure only if a later commit was
     * synced. After a power failure, the file is in the state of a whole commit: this one or an earlier one.
     */
    BUFFERED
}
