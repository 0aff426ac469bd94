package varvite.error;

import java.nio.file.Path;

/** A file ends before the bytes that it should have. */
public final class TruncatedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;
    private final long offset;
    private final long wanted;
    private final long length;

    /**
     * Makes the exception for a file that was cut short.
     *
     * @param path the file
     * @param offset the offset at which the missing bytes should begin
     * @param wanted the number of bytes needed
     * @param length the length of the file
     */
    public TruncatedFileException(Path path, long offset, long wanted, long length) {
        super(
                path + " ends at byte " + length + ", but " + wanted + " bytes at " + offset
                        + " are needed: it was cut short, restore it from a copy",
                null);
        this.path = path;
        this.offset = offset;
        this.wanted = wanted;
        this.length = length;
    }

    /** The file; null after serialisation. */
    public Path path() {
        return path;
    }

    /** The offset at which the bytes should begin. */
    public long offset() {
        return offset;
    }

    /** The number of bytes needed. */
    public long wanted() {
        return wanted;
    }

    /** The length of the file. */
    public long length() {
        return length;
    }

    @Override
    public int number() {
        return -12;
    }
}
