/**
 * Pipelines as descriptions: what is sought, step by step, with names and no ids of a file. They are built
 * here, sent to the engine as JSON in one call ({@code varvite.ffi.NativeGraph.run}), and run there;
 * {@code docs/plan.md} says what each step means.
 */
package varvite.pipeline;
