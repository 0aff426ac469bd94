package varvite.error;

import java.nio.file.Path;

/**
 * A sound file that this module cannot read: it is too new, it is too large for numbers of 31 bits, or it was
 * replaced.
 */
public final class UnsupportedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    /** The file was written to while it was open. */
    public static final int REPLACED = -18;
    /** The format has a newer version. */
    public static final int NEWER_FORMAT = -21;
    /** The file needs a feature that this module does not know. */
    public static final int UNKNOWN_FEATURE = -22;
    /** The graph is too large for numbers of 31 bits. */
    public static final int TOO_LARGE = -24;

    private final transient Path path;
    private final int number;

    /**
     * A file that this module cannot read.
     *
     * @param path the file
     * @param number one of the constants of this class
     * @param reason the unsupported feature, and what to do
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
