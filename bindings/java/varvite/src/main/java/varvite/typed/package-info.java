/**
 * The base of generated accessors: {@code varvite generate java} writes classes for the labels and properties
 * of a schema, and their common code for every schema is here.
 */
package varvite.typed;
