package varvite.joern;

import flatgraph.FormalQtyType;
import flatgraph.GNode;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import varvite.Cardinality;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.Label;
import varvite.PropertyInfo;
import varvite.ValueType;
import varvite.change.Diff;

/** Declares names that a diff needs and that the file lacks, each of them once. */
final class NewNames {
    private final Diff diff;
    private final Set<String> labels = new HashSet<>();
    private final Set<String> edgeLabels = new HashSet<>();
    private final Set<String> properties = new HashSet<>();
    private final Set<String> edgeLabelsWithProperty = new HashSet<>();

    NewNames(Graph file, Diff diff) {
        this.diff = diff;
        file.labels().stream().map(Label::name).forEach(labels::add);
        file.edgeLabels().stream().map(EdgeLabel::name).forEach(edgeLabels::add);
        for (PropertyInfo info : file.properties()) {
            Optional<String> edgeLabel = info.edgeLabel();
            edgeLabel.ifPresentOrElse(edgeLabelsWithProperty::add, () -> properties.add(info.name()));
        }
    }

    void label(String name) {
        if (labels.add(name)) {
            diff.declareLabel(name);
        }
    }

    void edgeLabel(String name) {
        if (edgeLabels.add(name)) {
            diff.declareEdgeLabel(name);
        }
    }

    /** Whether a property of nodes exists in the file or was declared. */
    boolean hasProperty(String name) {
        return properties.contains(name);
    }

    /** Declares a property of nodes, whose type is given as a type of flatgraph. */
    void property(String name, FormalQtyType.FormalType type, FormalQtyType.FormalQuantity quantity) {
        if (properties.add(name)) {
            diff.declareProperty(name, typeOf(type.allocate(0).getClass().getComponentType()), cardinalityOf(quantity));
        }
    }

    /**
     * Declares the property of an edge label, with the type of {@code value}. flatgraph allows at most one
     * property per label.
     */
    void edgeProperty(String edgeLabel, String name, Object value) {
        if (edgeLabelsWithProperty.add(edgeLabel)) {
            diff.declareEdgeProperty(edgeLabel, name, typeOf(value.getClass()), Cardinality.OPTIONAL);
        }
    }

    private static Cardinality cardinalityOf(FormalQtyType.FormalQuantity quantity) {
        return switch (quantity) {
            case FormalQtyType.QtyMulti$ ignored -> Cardinality.LIST;
            case FormalQtyType.QtyOne$ ignored -> Cardinality.ONE;
            default -> Cardinality.OPTIONAL;
        };
    }

    private static ValueType typeOf(Class<?> type) {
        if (type == String.class) {
            return ValueType.STRING;
        }
        if (type == int.class || type == Integer.class) {
            return ValueType.I32;
        }
        if (type == boolean.class || type == Boolean.class) {
            return ValueType.BOOL;
        }
        if (type == long.class || type == Long.class) {
            return ValueType.I64;
        }
        if (type == byte.class || type == Byte.class) {
            return ValueType.I8;
        }
        if (type == short.class || type == Short.class) {
            return ValueType.I16;
        }
        if (type == float.class || type == Float.class) {
            return ValueType.F32;
        }
        if (type == double.class || type == Double.class) {
            return ValueType.F64;
        }
        if (GNode.class.isAssignableFrom(type)) {
            return ValueType.REF;
        }
        throw new PersistException("a value of " + type + " can't be kept");
    }
}
