package varvite;

/**
 * A node label of a graph.
 *
 * @param id its number, from 0: its place in {@link Graph#labels()}, and its bit in label words
 * @param name its name
 * @param layer the layer that added it
 * @param originCount how many places it had in the file it came from, deleted nodes included; 0 if it came
 * from none
 */
public record Label(int id, String name, Layer layer, long originCount) {}
