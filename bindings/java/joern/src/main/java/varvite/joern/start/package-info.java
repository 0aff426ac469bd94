/**
 * Programs of the jar, and the check of the class path with which they begin. Compiled for Java 11, so that a
 * user whose Java is too old gets an error message that says so.
 */
package varvite.joern.start;
