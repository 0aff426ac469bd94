/**
 * Programs of the jar, and the look at the class path that they begin with. Compiled for Java 11, so that whoever has one that is too old
 * is told so.
 */
package varvite.joern.start;
