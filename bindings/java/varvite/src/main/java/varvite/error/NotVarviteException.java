package varvite.error;

import java.nio.file.Path;

/** A file is not a Varvite file. */
public final class NotVarviteException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * Makes the exception for a file that is not a Varvite file.
     *
     * @param path the file
     * @param hint the likely format of the file, and the next step
     */
    public NotVarviteException(Path path, String hint) {
        super(path + ": this is not a Varvite file: " + hint, null);
        this.path = path;
    }

    /** The file; null after serialisation. */
    public Path path() {
        return path;
    }

    @Override
    public int number() {
        return -20;
    }
}
