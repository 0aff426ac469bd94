package varvite;

/**
 * An edge label of a graph.
 *
 * @param id its number, from 0: its place in {@link Graph#edgeLabels()}
 * @param name its name
 * @param layer the layer that added it
 * @param edges how many edges have it
 */
public record EdgeLabel(int id, String name, Layer layer, long edges) {}
