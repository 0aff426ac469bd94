/**
 * Shared code of generated accessors: {@code varvite generate java} writes classes for the labels and
 * properties of a schema, and these classes use this package.
 */
package varvite.typed;
