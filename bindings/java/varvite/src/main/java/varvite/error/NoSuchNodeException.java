package varvite.error;

/** No node of the graph has a given id, or no edge has a given rank. */
public final class NoSuchNodeException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final long id;
    private final long count;

    /**
     * Makes the exception for an id or a rank that is out of range.
     *
     * @param kind {@code node} or {@code edge}
     * @param id the id or the rank
     * @param count the number of nodes or edges
     */
    public NoSuchNodeException(String kind, long id, long count) {
        super(message(kind, id, count), null);
        this.id = id;
        this.count = count;
    }

    private static String message(String kind, long id, long count) {
        String range = count == 0 ? "there are none" : "ids are 0 to " + (count - 1);
        return "there is no " + kind + " " + id + ": " + range;
    }

    /** The id or the rank. */
    public long id() {
        return id;
    }

    /** The number of nodes or edges. */
    public long count() {
        return count;
    }

    @Override
    public int number() {
        return -31;
    }
}
