package varvite.error;

import java.nio.file.Path;

/** A sound file that this module cannot read: it is too new, or too large for numbers of 31 bits. */
public final class UnsupportedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * A file that is beyond this module.
     *
     * @param path the file
     * @param reason what is beyond it, and what to do
     */
    public UnsupportedFileException(Path path, String reason) {
        super(path + ": " + reason, null);
        this.path = path;
    }

    /** The file; null after serialisation. */
    public Path path() {
        return path;
    }
}
