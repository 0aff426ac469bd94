package varvite.error;

/** An error of the native engine. {@code docs/errors.md} has the meaning and the remedy of each number. */
public final class EngineException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final int number;
    private final String name;
    private final int osNumber;

    /**
     * A call that failed.
     *
     * @param number the number of the error, below zero
     * @param name the name of the error, such as {@code VARVITE_E_IO}
     * @param osNumber the error of the operating system ({@code errno}), or 0
     * @param message what failed, where, and what to do
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

    /** The error of the operating system ({@code errno}), or 0. */
    public int osNumber() {
        return osNumber;
    }
}
