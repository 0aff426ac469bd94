package varvite;

/**
 * An edge label of a graph.
 *
 * @param id the number of the label, from 0: its index in {@link Graph#edgeLabels()}
 * @param name the name of the label
 * @param layer the layer that added the label
 * @param edges the number of edges with this label
 */
public record EdgeLabel(int id, String name, Layer layer, long edges) {}
