package varvite.error;

import java.nio.file.Path;

/** Bytes of a file contradict the format, their checksum, or each other. */
public final class DamagedFileException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final transient Path path;
    private final String part;
    private final long offset;
    private final String expected;
    private final String found;

    /**
     * Makes the exception for a damaged part of a file.
     *
     * @param path the file
     * @param part the structure, column or segment
     * @param offset the byte offset in the file, or -1 if it is not known
     * @param expected the value that the format requires
     * @param found the value in the file
     */
    public DamagedFileException(Path path, String part, long offset, String expected, String found) {
        super(path + ": damaged " + part + at(offset) + ": expected " + expected + ", found " + found, null);
        this.path = path;
        this.part = part;
        this.offset = offset;
        this.expected = expected;
        this.found = found;
    }

    private static String at(long offset) {
        return offset < 0 ? "" : " at byte " + offset;
    }

    /** The file; null after serialisation. */
    public Path path() {
        return path;
    }

    /** The structure, column or segment that is damaged. */
    public String part() {
        return part;
    }

    /** The byte offset of the damage in the file, or -1 if it is not known. */
    public long offset() {
        return offset;
    }

    /** The value that the format requires. */
    public String expected() {
        return expected;
    }

    /** The value in the file. */
    public String found() {
        return found;
    }

    @Override
    public int number() {
        return -23;
    }
}
