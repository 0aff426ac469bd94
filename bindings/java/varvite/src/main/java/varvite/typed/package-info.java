/**
 * What generated accessors are made of: {@code varvite generate java} writes classes for the labels and
 * properties of a schema, and what is the same for every schema is here.
 */
package varvite.typed;
