package varvite.ffi;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The source location of a node of a code property graph. A part is empty if the graph does not have it.
 *
 * @param file the name of the file in the graph
 * @param line the line in the file, from 1
 * @param method the METHOD that contains the node; the node itself if it is a METHOD
 * @param methodName the FULL_NAME of that METHOD, or its NAME if the graph has no FULL_NAME
 * @param isCutOff whether this node, or an earlier node of the same call, is too deep in the tree. If so,
 * parts that are empty here may still exist in the graph
 */
public record Site(Optional<String> file, OptionalLong line, OptionalInt method, Optional<String> methodName, boolean isCutOff) {}
