/**
 * Changes to a graph: a {@link varvite.change.Diff} is a list of operations on nodes, edges and values, built
 * in memory. The native engine applies it ({@code varvite.ffi.GraphChange}); {@code docs/diff.md} defines
 * each operation.
 */
package varvite.change;
