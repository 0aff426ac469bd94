package varvite;

import java.util.Optional;

/**
 * A property of nodes or edges in the schema.
 *
 * @param id its number, from 0: its place in {@link Graph#properties()}
 * @param name its name
 * @param edgeLabel the edge label whose edges have the property; none for properties of nodes
 * @param layer the layer that added it
 * @param type type of its values
 * @param cardinality how many values an owner has
 * @param defaultValue what an absent value means, as text; never stored for an owner
 */
public record PropertyInfo(
        int id,
        String name,
        Optional<String> edgeLabel,
        Layer layer,
        ValueType type,
        Cardinality cardinality,
        Optional<String> defaultValue) {}
