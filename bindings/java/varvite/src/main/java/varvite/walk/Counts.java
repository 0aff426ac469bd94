package varvite.walk;

/**
 * Counts of the work that a walk has done so far.
 *
 * @param branches the branches that the walk visited, including start nodes
 * @param results the branches that the walk included as results
 * @param expansions the branches from which the walk followed edges
 * @param edges the edges that the walk read, including those to nodes that it refused
 * @param labelReads the nodes whose labels were read
 * @param valueReads the nodes whose values evaluators read
 */
public record Counts(long branches, long results, long expansions, long edges, long labelReads, long valueReads) {}
