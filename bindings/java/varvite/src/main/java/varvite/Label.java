package varvite;

/**
 * A node label of a graph.
 *
 * @param id the number of the label, from 0: its index in {@link Graph#labels()}, and its bit in label words
 * @param name the name of the label
 * @param layer the layer that added the label
 * @param originCount the number of nodes with the label in the imported file, including deleted nodes; 0 if
 * the label was not imported
 */
public record Label(int id, String name, Layer layer, long originCount) {}
