/**
 * Code that the tests of several modules share: measurements of the test's own process, and the conformance
 * cases. Not part of the published jars.
 */
package varvite.testing;
