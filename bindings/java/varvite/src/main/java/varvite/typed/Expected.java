package varvite.typed;

import java.util.Locale;
import java.util.Optional;
import varvite.Cardinality;
import varvite.Graph;
import varvite.PropertyInfo;
import varvite.ValueType;
import varvite.error.WrongTypeException;

/**
 * A property as generated classes read it, for the comparison with a graph's.
 *
 * @param edgeLabel the label of the edges that have it; none: nodes have it
 * @param name its name
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
     * Passes if a graph does not have the property, or has it so that accessors for {@code type} and
     * {@code cardinality} read all that it holds. Reads the schema only.
     *
     * @throws WrongTypeException if not
     */
    public void check(Graph graph, ValueType type, Cardinality cardinality) {
        for (PropertyInfo info : graph.properties()) {
            if (info.name().equals(name) && info.edgeLabel().equals(edgeLabel)) {
                // From one to optional to list, each cardinality holds all values of those before it.
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
