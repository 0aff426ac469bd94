/** What the tests of several modules measure of their own process. No part of what is published. */
package varvite.testing;
