package varvite.error;

/** What the native engine refused. {@code docs/errors.md} says what each number means and what to do. */
public final class EngineException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final String name;
    private final int osNumber;

    /**
     * A call that failed.
     *
     * @param code the number of the error, below zero
     * @param name its name, such as {@code VARVITE_E_IO}
     * @param osNumber what the operating system said ({@code errno}), or 0
     * @param message what failed, where, and what to do
     */
    public EngineException(int code, String name, int osNumber, String message) {
        super(message, null);
        this.code = code;
        this.name = name;
        this.osNumber = osNumber;
    }

    /** The number of the error, which is the same in every language. */
    public int code() {
        return code;
    }

    /** The name of that number in C. */
    public String codeName() {
        return name;
    }

    /** What the operating system said ({@code errno}), or 0. */
    public int osNumber() {
        return osNumber;
    }
}
