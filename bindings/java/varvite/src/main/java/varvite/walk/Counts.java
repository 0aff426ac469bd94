package varvite.walk;

/**
 * What a walk did so far.
 *
 * @param branches branches that it came to, starts included
 * @param results those of them that were results
 * @param expansions branches behind which it looked for edges
 * @param edges edges that it looked at, those included that led where it may not go
 * @param labelReads nodes whose labels it read
 * @param valueReads nodes whose values evaluators read
 */
public record Counts(long branches, long results, long expansions, long edges, long labelReads, long valueReads) {}
