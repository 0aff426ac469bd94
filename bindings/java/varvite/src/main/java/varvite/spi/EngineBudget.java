package varvite.spi;

/**
 * A limit of private memory that several graphs share in the native engine. May be used by any number of
 * threads.
 */
public interface EngineBudget extends AutoCloseable {
    /** The bytes that the budget's graphs hold now: decoded buffers, tables and working memory. */
    long heldBytes();

    /** Releases the budget; graphs that share it keep it. Closing it again has no effect. */
    @Override
    void close();
}
