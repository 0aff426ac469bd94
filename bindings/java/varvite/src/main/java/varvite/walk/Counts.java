package varvite.walk;

/**
 * Counts of a walk's work so far.
 *
 * @param branches branches that it came to, starts included
 * @param results those of them that were results
 * @param expansions branches behind which it looked for edges
 * @param edges edges that it read, those included that led to refused nodes
 * @param labelReads nodes whose labels were read
 * @param valueReads nodes whose values were read by evaluators
 */
public record Counts(long branches, long results, long expansions, long edges, long labelReads, long valueReads) {}
