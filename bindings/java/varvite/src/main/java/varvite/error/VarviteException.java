package varvite.error;

/**
 * Anything that Varvite itself refuses. What the operating system refuses is an {@link java.io.IOException}.
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

    /** The number of the error, which is the same in every language: {@code docs/errors.md} lists them. */
    public abstract int number();
}
