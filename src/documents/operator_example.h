/*
 * Examples of an ONNX operator's document: blocks between ``` whose lines are all "name = literal".
 *
 *     data = [[1, 2], [3, 4]]
 *     indices = [[0, 0], [1, 0]]
 *     axis = 1
 *     output = [[1, 1], [4, 3]]
 *
 * Each group of outputs becomes statements that make the node, run it by onnx.reference, and show
 * each documented output. Values stay for later groups of the block. Names are those of the schema,
 * also behind "input_", "attribute_" or "output_"; "output" and "result" are the first output.
 */
#ifndef DOCUMENTS_OPERATOR_EXAMPLE_H
#define DOCUMENTS_OPERATOR_EXAMPLE_H

#include "documents/example.h"
#include "documents/record.h"

void operator_example_find(const struct api_record *r, struct arena *a, struct example_list *out);

#endif
