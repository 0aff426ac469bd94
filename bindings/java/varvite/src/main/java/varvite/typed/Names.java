package varvite.typed;

import java.util.Set;
import java.util.stream.Collectors;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.PropertyInfo;

/**
 * The names of a graph. Generated classes look up here whether the graph has a name. Holds no reference to
 * the graph.
 *
 * @param properties properties of nodes
 * @param edgeLabels edge labels
 * @param edgeProperties properties of edges
 */
public record Names(Set<String> properties, Set<String> edgeLabels, Set<EdgeProperty> edgeProperties) {
    /**
     * A property of edges.
     *
     * @param edgeLabel the label of the edges
     * @param name the name of the property
     */
    public record EdgeProperty(String edgeLabel, String name) {}

    /** The names of a graph. */
    public static Names of(Graph graph) {
        return new Names(
                graph.properties().stream()
                        .filter(info -> info.edgeLabel().isEmpty())
                        .map(PropertyInfo::name)
                        .collect(Collectors.toUnmodifiableSet()),
                graph.edgeLabels().stream().map(EdgeLabel::name).collect(Collectors.toUnmodifiableSet()),
                graph.properties().stream()
                        .filter(info -> info.edgeLabel().isPresent())
                        .map(info -> new EdgeProperty(info.edgeLabel().orElseThrow(), info.name()))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether the graph has a node property with this name. */
    public boolean hasProperty(String name) {
        return properties.contains(name);
    }

    /** Whether the graph has an edge label with this name. */
    public boolean hasEdgeLabel(String name) {
        return edgeLabels.contains(name);
    }

    /** Whether the graph has a property with this name for edges of this label. */
    public boolean hasEdgeProperty(String edgeLabel, String name) {
        return edgeProperties.contains(new EdgeProperty(edgeLabel, name));
    }
}
