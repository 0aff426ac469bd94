package varvite.error;

/**
 * The base class of all errors of Varvite. Errors of the operating system are {@link java.io.IOException}s.
 */
public abstract sealed class VarviteException extends RuntimeException
        permits CancelledException,
                ChangeException,
                DamagedFileException,
                EngineException,
                GraphBusyException,
                GraphClosedException,
                NativeLibraryException,
                NativeRequiredException,
                NoSuchNodeException,
                NotAFileException,
                NotVarviteException,
                OverBudgetException,
                ReplacedFileException,
                TimedOutException,
                TruncatedFileException,
                UnknownNameException,
                UnsupportedFileException,
                WalkException,
                WrongTypeException {
    private static final long serialVersionUID = 1;

    VarviteException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The error number, which is the same in every language; {@code docs/errors.md} lists all numbers. */
    public abstract int number();
}
