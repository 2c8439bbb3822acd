"""Writes a model that calls functions: with a subgraph in a body, attributes that refer to the call's, a function that calls
another, inputs left out, and names that the graph has too.

    functions.py MODEL.onnx
"""

import sys

from onnx import AttributeProto, TensorProto, helper, save

OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]


def tensor(name, dims, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, dims)


def referring(op, inputs, outputs, **references):
    node = helper.make_node(op, inputs, outputs)
    for name, (of, kind) in references.items():
        node.attribute.append(AttributeProto(name=name, ref_attr_name=of, type=kind))
    return node


half = helper.make_tensor("half", TensorProto.FLOAT, [1], [0.5])
then = helper.make_graph([helper.make_node("Mul", ["x", "half"], ["v"])], "then", [], [tensor("v", None)], [half])
otherwise = helper.make_graph([helper.make_node("Neg", ["x"], ["v"])], "otherwise", [], [tensor("v", None)])
halved = helper.make_function(
    "own", "Halved", ["x", "condition"], ["y"],
    [helper.make_node("If", ["condition"], ["t"], then_branch=then, else_branch=otherwise), helper.make_node("Identity", ["t"], ["y"])],
    OPSETS[:1],
)
scaled = helper.make_function(
    "own", "Scaled", ["x", "condition", "shift"], ["y", "z"],
    [
        referring("LeakyRelu", ["x"], ["t"], alpha=("slope", AttributeProto.FLOAT)),
        helper.make_node("Halved", ["t", "condition"], ["u"], domain="own"),
        referring("Concat", ["u", "t"], ["z"], axis=("axis", AttributeProto.INT)),
        helper.make_node("Clip", ["u", "shift"], ["y"]),
    ],
    OPSETS, ["axis"], [helper.make_attribute("slope", 0.25)],
)
nodes = [
    helper.make_node("Scaled", ["x", "condition"], ["t", "wide"], domain="own", axis=1),
    helper.make_node("Scaled", ["t", "condition", "low"], ["y", "wider"], domain="own", axis=0, slope=2.0),
    helper.make_node("Not", ["condition"], ["u"]),
    helper.make_node("Halved", ["wide", "u"], ["z"], domain="own"),
]
low = helper.make_tensor("low", TensorProto.FLOAT, [], [-0.5])
graph = helper.make_graph(
    nodes, "g", [tensor("x", [2, 3]), tensor("condition", [], TensorProto.BOOL)],
    [tensor("y", None), tensor("z", None), tensor("wider", None)], [low],
)
save(helper.make_model(graph, opset_imports=OPSETS, ir_version=9, functions=[halved, scaled]), sys.argv[1])
