package varvite;

/**
 * The purpose that the encodings of a file serve. For information only: a reader accepts every encoding in
 * every profile.
 */
public enum Profile {
    /** Byte-aligned arrays: fastest, largest. */
    DIRECT,
    /** Bit-packed arrays, still read in place; long texts (CODE) are compressed by a codec. */
    COMPACT,
    /** Columns in blocks of a codec, which this module alone does not decode. */
    ARCHIVE
}
