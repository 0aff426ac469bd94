package varvite.error;

import java.util.Optional;

/** The graph has no label, edge label or property with the name that a caller asked for. */
public final class UnknownNameException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final String name;
    private final String nearest;

    /**
     * Makes the exception for an unknown name.
     *
     * @param kind {@code label}, {@code edge label}, {@code property} or {@code edge property}
     * @param name the unknown name
     * @param nearest the most similar name in the graph; null if no name is similar
     */
    public UnknownNameException(String kind, String name, String nearest) {
        super("there is no " + kind + " \"" + name + "\" in this graph" + suggestion(nearest), null);
        this.kind = kind;
        this.name = name;
        this.nearest = nearest;
    }

    private static String suggestion(String nearest) {
        return nearest == null ? "" : "; the nearest is \"" + nearest + "\"";
    }

    /** The kind of name. */
    public String kind() {
        return kind;
    }

    /** The unknown name. */
    public String name() {
        return name;
    }

    /** The most similar name in the graph, if a name is similar. */
    public Optional<String> nearest() {
        return Optional.ofNullable(nearest);
    }

    @Override
    public int number() {
        return -30;
    }
}
