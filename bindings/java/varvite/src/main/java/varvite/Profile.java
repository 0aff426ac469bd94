package varvite;

/**
 * The purpose that the encodings of a file serve. Information only: every encoding is read in every profile.
 */
public enum Profile {
    /** Byte-aligned arrays: fastest, largest. */
    DIRECT,
    /** Bit-packed, still read in place; long texts (CODE) go through a codec. */
    COMPACT,
    /** In blocks of a codec, which this module does not decode. */
    ARCHIVE
}
