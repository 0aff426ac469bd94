package varvite.error;

/**
 * A diff has an invalid operation. No part of the diff was applied: the file is unchanged, byte for byte.
 * {@code docs/diff.md} defines the rules of each operation.
 */
public final class ChangeException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final long operation;
    private final int number;
    private final String name;

    /**
     * Makes the exception for an operation that was refused.
     *
     * @param operation the number of the operation in the diff, from 0
     * @param number the error number, which is negative
     * @param name the name of the error, such as {@code VARVITE_E_NO_SUCH_NODE}
     * @param message why the operation is invalid
     */
    public ChangeException(long operation, int number, String name, String message) {
        super(message, null);
        this.operation = operation;
        this.number = number;
        this.name = name;
    }

    /** The number of the operation in the diff, from 0. */
    public long operation() {
        return operation;
    }

    @Override
    public int number() {
        return number;
    }

    /** The name of the error's constant in C. */
    public String codeName() {
        return name;
    }
}
