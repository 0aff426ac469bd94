package varvite.spi;

/**
 * The private memory that graphs which are open in the native engine may have together. May be used by any
 * number of threads.
 */
public interface EngineBudget extends AutoCloseable {
    /** Bytes that these graphs hold now: decoded buffers, tables and working memory. */
    long heldBytes();

    /** Gives it back; graphs that share it keep it. Closing twice is closing once. */
    @Override
    void close();
}
