package varvite.error;

import java.nio.file.Path;

/**
 * An undamaged file that this module cannot read, because the file is too new, is too large for 31-bit
 * numbers, or was replaced.
 */
public final class UnsupportedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    /** Another program wrote to the file while it was open. */
    public static final int REPLACED = -18;
    /** The file has a newer format version. */
    public static final int NEWER_FORMAT = -21;
    /** The file needs a feature that this module does not know. */
    public static final int UNKNOWN_FEATURE = -22;
    /** The graph is too large for 31-bit numbers. */
    public static final int TOO_LARGE = -24;

    private final transient Path path;
    private final int number;

    /**
     * Makes the exception for a file that this module cannot read.
     *
     * @param path the file
     * @param number one of the constants of this class
     * @param reason the unsupported feature, and the next step
     */
    public UnsupportedFileException(Path path, int number, String reason) {
        super(path + ": " + reason, null);
        this.path = path;
        this.number = number;
    }

    /** The file; null after serialisation. */
    public Path path() {
        return path;
    }

    @Override
    public int number() {
        return number;
    }
}
