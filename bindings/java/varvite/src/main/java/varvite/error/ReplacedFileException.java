package varvite.error;

import java.nio.file.Path;

/**
 * Another file is now at the path of an open file, because the open file was replaced, for example by a
 * compaction.
 */
public final class ReplacedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * Makes the exception for a file that was replaced.
     *
     * @param path the path of the file
     */
    public ReplacedFileException(Path path) {
        super(path + " was replaced since it was opened; open it again; nodes may have different ids", null);
        this.path = path;
    }

    /** The path of the file; null after serialisation. */
    public Path path() {
        return path;
    }

    @Override
    public int number() {
        return -18;
    }
}
