/**
 * Pipelines as descriptions: a query step by step, with names and no ids of a file. They are built here, sent
 * to the engine as JSON in one call ({@code varvite.ffi.NativeGraph.run}), and run there; {@code
 * docs/plan.md} has the meaning of each step.
 */
package varvite.pipeline;
