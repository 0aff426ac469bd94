package varvite.error;

import java.nio.file.Path;

/** A graph cannot be closed, because an operation of another thread is still reading one of its slices. */
public final class GraphBusyException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;

    /**
     * Makes the exception for a failed attempt to close a graph, which stays open.
     *
     * @param path the file of the graph
     * @param seconds the number of seconds for which the call waited
     * @param cause the exception that closing the arena threw
     */
    public GraphBusyException(Path path, long seconds, Throwable cause) {
        super(
                path + " cannot be closed: for " + seconds + " seconds a slice of it has been in use by an input or output"
                        + " operation or a native call; end that, then close again",
                cause);
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
