/**
 * Walks: traversals with an order, a rule of uniqueness and evaluators. They allocate nothing per step. A
 * {@link varvite.walk.Walk} describes a walk, a {@link varvite.walk.Plan} is a walk compiled for a graph, and
 * a {@link varvite.walk.Run} moves from result to result in an {@link varvite.walk.Arena}. A
 * {@link varvite.walk.Guide} has functions of the caller, for conditions that a {@code Walk} cannot express.
 */
package varvite.walk;
