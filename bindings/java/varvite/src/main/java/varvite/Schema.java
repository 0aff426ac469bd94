package varvite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import varvite.error.UnknownNameException;
import varvite.format.Changes.EdgeChangeRow;
import varvite.format.Directory;

/** The names of a graph: labels, edge labels, properties and layers, each with its number. */
record Schema(List<Layer> layers, List<Label> labels, List<EdgeLabel> edgeLabels, List<PropertyInfo> properties) {
    static Schema of(Directory directory) {
        List<String> names = directory.names();
        List<Layer> layers =
                directory.layers().stream().map(row -> Layer.of(directory, row)).toList();
        List<Label> labels = new ArrayList<>();
        for (Directory.LabelRow row : directory.labels()) {
            long origin = Integer.toUnsignedLong(row.originCount());
            labels.add(new Label(labels.size(), names.get(row.name()), layers.get(row.layer()), origin));
        }
        List<EdgeLabel> edgeLabels = new ArrayList<>();
        for (Directory.EdgeLabelRow row : directory.edgeLabels()) {
            edgeLabels.add(
                    new EdgeLabel(edgeLabels.size(), names.get(row.name()), layers.get(row.layer()), edges(directory, edgeLabels.size())));
        }
        List<PropertyInfo> properties = new ArrayList<>();
        for (Directory.PropertyRow row : directory.properties()) {
            properties.add(property(properties.size(), row, names, layers, edgeLabels));
        }
        return new Schema(layers, List.copyOf(labels), List.copyOf(edgeLabels), List.copyOf(properties));
    }

    /**
     * The current number of edges of a label: the edges of the base, plus appended edges, minus removed
     * edges.
     */
    private static long edges(Directory directory, int label) {
        long ofBase = directory.edgeLabels().get(label).edges();
        EdgeChangeRow change = directory.changes().map(changes -> changes.ofEdges(label)).orElse(null);
        if (change == null) {
            return ofBase;
        }
        long removed = change.removed() < 0 ? 0 : directory.columns().get(change.removed()).count();
        return Math.max(0, ofBase + change.appended() - Math.max(0, removed));
    }

    /** A property of the schema. An unknown value type is shown as bytes. */
    private static PropertyInfo property(
            int id, Directory.PropertyRow row, List<String> names, List<Layer> layers, List<EdgeLabel> edgeLabels) {
        ValueType type = ValueType.of(row.valueType());
        Optional<String> owner =
                row.owner() < 0 ? Optional.empty() : Optional.of(edgeLabels.get(row.owner()).name());
        Optional<String> absent = switch (row.defaultKind()) {
            case 1 -> Optional.of(Long.toString(row.defaultValue()));
            case 2 -> Optional.of(names.get((int) row.defaultValue()));
            default -> Optional.empty();
        };
        return new PropertyInfo(
                id,
                names.get(row.name()),
                owner,
                layers.get(row.layer()),
                type == null ? ValueType.BYTES : type,
                Cardinality.values()[row.cardinality()],
                absent);
    }

    Label label(String name) {
        for (Label label : labels) {
            if (label.name().equals(name)) {
                return label;
            }
        }
        throw unknown("label", name, labels.stream().map(Label::name).toList());
    }

    EdgeLabel edgeLabel(String name) {
        for (EdgeLabel label : edgeLabels) {
            if (label.name().equals(name)) {
                return label;
            }
        }
        throw unknown(
                "edge label", name, edgeLabels.stream().map(EdgeLabel::name).toList());
    }

    /**
     * Checks that an argument of the caller belongs to this graph: it must equal the element of {@code all}
     * that has the same number. An argument from another open graph of the same file is equal.
     *
     * @throws IllegalArgumentException if the argument differs, because its number may stand for something
     * else in this graph
     */
    static <T> void checkOwn(T given, int id, List<T> all) {
        boolean isNumber = id >= 0 && id < all.size();
        if (!isNumber || all.get(id) != given && !all.get(id).equals(given)) {
            throw new IllegalArgumentException(given + " belongs to another graph: get the one of this name from this graph");
        }
    }

    /** The property of nodes, or of the edges of a label, with this name. */
    PropertyInfo property(String name, Optional<String> edgeLabel) {
        List<PropertyInfo> candidates = properties.stream()
                .filter(info -> info.edgeLabel().equals(edgeLabel))
                .toList();
        for (PropertyInfo info : candidates) {
            if (info.name().equals(name)) {
                return info;
            }
        }
        String kind = edgeLabel.isEmpty() ? "property" : "edge property";
        throw unknown(
                kind, name, candidates.stream().map(PropertyInfo::name).toList());
    }

    private static UnknownNameException unknown(String kind, String name, List<String> names) {
        return new UnknownNameException(kind, name, NearestName.of(name, names));
    }
}
