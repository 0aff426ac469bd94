package varvite.spi;

/**
 * A limit on the private memory of several graphs in the native engine. May be used by any number of threads.
 */
public interface EngineBudget extends AutoCloseable {
    /** The number of bytes that the budget's graphs hold now: decoded buffers, tables and working memory. */
    long heldBytes();

    /**
     * Releases the caller's reference to the budget; graphs that share the budget keep it alive. A second
     * call has no effect.
     */
    @Override
    void close();
}
