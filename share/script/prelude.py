import base64
import os
import subprocess
import sys
import traceback

import numpy
import onnx
from numpy import inf, nan
from onnx import AttributeProto, TensorProto, helper


def values(items, kind, dims):
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    return kind, dims, numpy.array(items, dtype=dtype).tobytes()


def packed(text, kind, dims):
    return kind, dims, base64.b64decode(text)


def tensor(name, packed_values):
    kind, dims, raw = packed_values
    return TensorProto(name=name, data_type=kind, dims=dims, raw_data=raw)


def array(packed_values):
    kind, dims, raw = packed_values
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    return numpy.frombuffer(raw, dtype=dtype).reshape(dims).copy()


def info(name, kind, dims):
    return helper.make_tensor_value_info(name, kind, dims)


def empty(kind):
    return AttributeProto.AttributeType.Value(kind), []


def node(op_type, inputs, outputs, name="", domain="", **attributes):
    made = helper.make_node(op_type, inputs, outputs, name=name, domain=domain)
    for key, value in attributes.items():
        kind = None
        if isinstance(value, tuple):
            kind, value = value
        made.attribute.append(helper.make_attribute(key, value, attr_type=kind))
    return made
