package varvite.error;

import java.nio.file.Path;

/** A path names a folder, device or pipe, not a regular file. */
public final class NotAFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * Makes the exception for a path that does not name a regular file.
     *
     * @param path the path to open
     */
    public NotAFileException(Path path) {
        super(path + " is not a regular file; give the path of a graph file", null);
        this.path = path;
    }

    /** The path to open; null after serialisation. */
    public Path path() {
        return path;
    }

    @Override
    public int number() {
        return -11;
    }
}
