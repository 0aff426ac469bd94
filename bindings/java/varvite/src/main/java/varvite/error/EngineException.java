package varvite.error;

/** An error of the native engine. {@code docs/errors.md} has the meaning and the remedy of each number. */
public final class EngineException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final int number;
    private final String name;
    private final int osNumber;

    /**
     * Makes the exception for a call that failed.
     *
     * @param number the error number, which is negative
     * @param name the name of the error, such as {@code VARVITE_E_IO}
     * @param osNumber the operating system's error number ({@code errno}); 0 if there is none
     * @param message the failure, its place, and the next step
     */
    public EngineException(int number, String name, int osNumber, String message) {
        super(message, null);
        this.number = number;
        this.name = name;
        this.osNumber = osNumber;
    }

    @Override
    public int number() {
        return number;
    }

    /** The name of the error's constant in C. */
    public String codeName() {
        return name;
    }

    /** The operating system's error number ({@code errno}); 0 if there is none. */
    public int osNumber() {
        return osNumber;
    }
}
