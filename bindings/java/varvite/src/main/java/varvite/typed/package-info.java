/**
 * Base classes of generated accessors: {@code varvite generate java} writes classes for the labels and
 * properties of a schema, and this package has the code that they share.
 */
package varvite.typed;
