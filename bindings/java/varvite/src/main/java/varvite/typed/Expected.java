package varvite.typed;

import java.util.Locale;
import java.util.Optional;
import varvite.Cardinality;
import varvite.Graph;
import varvite.PropertyInfo;
import varvite.ValueType;
import varvite.error.WrongTypeException;

/**
 * A property that generated classes read, for a comparison with the property of a graph.
 *
 * @param edgeLabel the label of the edges with the property; empty for a property of nodes
 * @param name the name of the property
 */
public record Expected(Optional<String> edgeLabel, String name) {
    /** A property of nodes. */
    public static Expected property(String name) {
        return new Expected(Optional.empty(), name);
    }

    /** A property of the edges of a label. */
    public static Expected edgeProperty(String edgeLabel, String name) {
        return new Expected(Optional.of(edgeLabel), name);
    }

    /**
     * Checks that accessors for {@code type} and {@code cardinality} can read all values of the property in a
     * graph. Also passes if the graph does not have the property. Reads only the schema.
     *
     * @throws WrongTypeException if the accessors cannot read all values
     */
    public void check(Graph graph, ValueType type, Cardinality cardinality) {
        for (PropertyInfo info : graph.properties()) {
            if (info.name().equals(name) && info.edgeLabel().equals(edgeLabel)) {
                // The constants are ordered: each cardinality allows all values that the earlier ones allow.
                boolean fits = info.cardinality().compareTo(cardinality) <= 0;
                if (!fits || !isReadAs(info.type(), type)) {
                    throw new WrongTypeException(
                            name, words(type, cardinality) + ": generate again", words(info.type(), info.cardinality()));
                }
            }
        }
    }

    private static boolean isReadAs(ValueType found, ValueType type) {
        return found == type
                || found.fitsInt() && type.fitsInt() && (found == ValueType.BOOL) == (type == ValueType.BOOL)
                || found.isFloat() && type.isFloat()
                || found.isInteger() && type.isInteger() && !type.fitsInt();
    }

    private static String words(ValueType type, Cardinality cardinality) {
        return type + " (" + cardinality.name().toLowerCase(Locale.ROOT) + ")";
    }
}
