/**
 * What is to become of a graph: a {@link varvite.change.Diff} is operations on nodes, edges and values, built
 * in memory. The native engine applies it ({@code varvite.ffi.GraphChange}); {@code docs/diff.md} says what
 * each operation means.
 */
package varvite.change;
