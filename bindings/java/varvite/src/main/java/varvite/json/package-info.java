/** Writes texts and lists as JSON, for the descriptions that are sent to the engine. Not exported. */
package varvite.json;
