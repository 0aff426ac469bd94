package varvite.ffi;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The place of a node of a code property graph in the source. Parts that the graph lacks are empty.
 *
 * @param file the name of the file, as the graph has it
 * @param line the line in the file, counted from 1
 * @param method the METHOD that the node is, or is in
 * @param methodName the FULL_NAME of that METHOD; in a graph without FULL_NAME its NAME
 * @param isCutOff whether the node, or one asked about before it, is too deep in the tree: what is empty may
 * be there
 */
public record Site(Optional<String> file, OptionalLong line, OptionalInt method, Optional<String> methodName, boolean isCutOff) {}
