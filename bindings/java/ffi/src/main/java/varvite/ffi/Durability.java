package varvite.ffi;

/** The durability of a commit to a {@link GraphLog} when its call returns. */
public enum Durability {
    /** It survives a failure of power. */
    SYNC,
    /**
     * It survives the end of this process, and a failure of power only if a commit after it was synced. After
     * such a failure the file is at this commit or at one before, and never between two.
     */
    BUFFERED
}
