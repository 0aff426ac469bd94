package varvite.ffi;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The source location of a node of a code property graph. Parts that the graph lacks are empty.
 *
 * @param file the name of the file in the graph
 * @param line the line in the file, counted from 1
 * @param method the METHOD that contains the node, or the node itself if it is a METHOD
 * @param methodName the FULL_NAME of that METHOD; in a graph without FULL_NAME its NAME
 * @param isCutOff whether this node or an earlier one of the same call is too deep in the tree: empty parts
 * may exist then
 */
public record Site(Optional<String> file, OptionalLong line, OptionalInt method, Optional<String> methodName, boolean isCutOff) {}
