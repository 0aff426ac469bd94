package varvite.walk;

/**
 * Counts of the work that a walk has done so far.
 *
 * @param branches the number of branches that the walk visited, including start nodes
 * @param results the number of branches that the walk included as results
 * @param expansions the number of branches from which the walk followed edges
 * @param edges the number of edges that the walk read, including those to nodes that it refused
 * @param labelReads the number of times that the labels of a node were read
 * @param valueReads the number of times that an evaluator read the value of a node
 */
public record Counts(long branches, long results, long expansions, long edges, long labelReads, long valueReads) {}
