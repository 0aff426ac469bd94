/**
 * Walks: traversals with an order, a uniqueness and evaluators, that allocate nothing. A {@link
 * varvite.walk.Walk} describes one, a {@link varvite.walk.Plan} is compiled for a graph, a {@link
 * varvite.walk.Run} goes from result to result in an {@link varvite.walk.Arena}; a {@link varvite.walk.Guide}
 * has the conditions that names cannot express.
 */
package varvite.walk;
