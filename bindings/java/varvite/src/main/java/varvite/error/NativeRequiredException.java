package varvite.error;

import java.nio.file.Path;

/** A column is compressed, so that only the native library can read it. */
public final class NativeRequiredException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;
    private final String column;
    private final String codec;

    /**
     * Makes the exception for a compressed column.
     *
     * @param path the file of the graph
     * @param column the column that was to be read
     * @param codec the codec of the column's blocks
     */
    public NativeRequiredException(Path path, String column, String codec) {
        super(
                path + ": " + column + " is stored in blocks of codec " + codec + ", which this module does not decode:"
                        + " add the module varvite.ffi with its native library, or import the graph again with"
                        + " --profile direct and without --source",
                null);
        this.path = path;
        this.column = column;
        this.codec = codec;
    }

    /** The file of the graph; null after serialisation. */
    public Path path() {
        return path;
    }

    /** The column that was to be read. */
    public String column() {
        return column;
    }

    /** The codec of the column's blocks: {@code lz4} or {@code zstd}. */
    public String codec() {
        return codec;
    }

    @Override
    public int number() {
        return -22;
    }
}
