package varvite.format;

import java.util.List;

/**
 * An operation of a record of the log. {@code docs/format.md} defines its bytes, {@code docs/diff.md} its
 * meaning. Numbers are unsigned and unchecked, as they are in the file.
 */
public sealed interface LogOperation {
    /**
     * A node: one of the graph before the record, by its id, or one that the record adds, by its index among
     * the added nodes.
     */
    record NodeOf(int number, boolean isNew) {}

    /** An owner of values. */
    sealed interface Owner permits OwnerNode, OwnerEdge, OwnerNewEdge {}

    /** A node. */
    record OwnerNode(NodeOf node) implements Owner {}

    /** An edge of the graph before the record. */
    record OwnerEdge(String label, int rank) implements Owner {}

    /** An edge that the record adds. {@code number} is its index among the added edges. */
    record OwnerNewEdge(int number) implements Owner {}

    /** Adds a node with these labels. */
    record AddNode(List<String> labels) implements LogOperation {}

    /** Adds an edge. */
    record AddEdge(String label, NodeOf from, NodeOf to) implements LogOperation {}

    /** Removes a node with its edges. */
    record RemoveNode(int node) implements LogOperation {}

    /** Removes an edge. */
    record RemoveEdge(String label, int rank) implements LogOperation {}

    /**
     * Sets or appends values of a property. Each value is null, a {@link Boolean}, a {@link Long}, an
     * {@link Unsigned}, a {@link Float}, a {@link Double}, a {@link String}, a {@code byte[]} or a
     * {@link NodeOf}.
     */
    record Values(Owner owner, String property, boolean isAppend, List<Object> values) implements LogOperation {}

    /** An unsigned 64-bit integer. */
    record Unsigned(long bits) {}
}
