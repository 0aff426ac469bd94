package varvite;

import java.util.Optional;

/**
 * A property of nodes or edges in the schema.
 *
 * @param id the number of the property, from 0: its index in {@link Graph#properties()}
 * @param name the name of the property
 * @param edgeLabel the edge label whose edges have the property; empty for properties of nodes
 * @param layer the layer that added the property
 * @param type the type of the property's values
 * @param cardinality the number of values that an owner may have
 * @param defaultValue the value, as text, of an owner without a stored value
 */
public record PropertyInfo(
        int id,
        String name,
        Optional<String> edgeLabel,
        Layer layer,
        ValueType type,
        Cardinality cardinality,
        Optional<String> defaultValue) {}
