package varvite.walk;

/**
 * Counts of a walk's work so far.
 *
 * @param branches the branches that the walk reached, starts included
 * @param results the branches that were results
 * @param expansions the branches whose last node's edges were read
 * @param edges the edges that were read, also those that led to refused nodes
 * @param labelReads the nodes whose labels were read
 * @param valueReads the nodes whose values evaluators read
 */
public record Counts(long branches, long results, long expansions, long edges, long labelReads, long valueReads) {}
