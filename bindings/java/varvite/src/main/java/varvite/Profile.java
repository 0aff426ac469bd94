package varvite;

/**
 * The storage profile of a file: the purpose that its encodings serve. For information only, because a reader
 * accepts every encoding in every profile.
 */
public enum Profile {
    /** Byte-aligned arrays: the fastest and largest form. */
    DIRECT,
    /**
     * Bit-packed arrays, which are still read in place; long texts, such as the property CODE, are compressed
     * by a codec.
     */
    COMPACT,
    /** Columns in compressed blocks, which this module cannot decode without the native engine. */
    ARCHIVE
}
