package varvite.error;

import java.nio.file.Path;

/** A graph, or an object that the graph returned, was used after the graph was closed. */
public final class GraphClosedException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * Makes the exception for a use after the graph was closed.
     *
     * @param path the file of the graph
     * @param cause the exception that the access threw; may be null
     */
    public GraphClosedException(Path path, Throwable cause) {
        super(path + " is closed: keep the graph open for as long as its columns and cursors are used", cause);
        this.path = path;
    }

    /** The file of the graph; null after serialisation. */
    public Path path() {
        return path;
    }

    @Override
    public int number() {
        return -3;
    }
}
