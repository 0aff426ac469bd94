/**
 * Pipelines, which describe queries as sequences of steps. They refer to labels and properties by name, so
 * that they do not depend on a file. This package builds them; {@code varvite.ffi.NativeGraph.run} sends a
 * pipeline to the engine as JSON in one call, and the engine runs it. {@code docs/plan.md} defines each step.
 */
package varvite.pipeline;
