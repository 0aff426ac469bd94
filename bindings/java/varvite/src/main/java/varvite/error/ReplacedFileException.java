package varvite.error;

import java.nio.file.Path;

/**
 * A path leads to another file than the one that is open: the open one was replaced, as a compaction does.
 */
public final class ReplacedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * A file that was replaced.
     *
     * @param path where it was
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
