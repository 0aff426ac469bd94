/**
 * Walks: traversals with an order, a uniqueness and evaluators, that allocate nothing. A
 * {@link varvite.walk.Walk} describes one, a {@link varvite.walk.Plan} is compiled for a graph, a
 * {@link varvite.walk.Run} goes from result to result in an {@link varvite.walk.Arena}; what names cannot
 * say, a {@link varvite.walk.Guide} does.
 */
package varvite.walk;
