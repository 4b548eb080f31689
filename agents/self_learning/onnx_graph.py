"""A network as an ONNX model, for onnxruntime."""

from typing import Any

from agents.self_learning.architecture import NetworkFile

__all__ = ["model_of"]


def model_of(file: NetworkFile) -> bytes:
    """The serialised model. Input: `inputs`; outputs: value (after tanh), logits, margin."""
    return _Graph(file).model()


class _Graph:
    """Nodes that are added one after the other; each method returns the name of its output."""

    def __init__(self, file: NetworkFile) -> None:
        from onnx import helper, numpy_helper

        self.file = file
        self._helper: Any = helper
        self._nodes: list[Any] = []
        self._constants = [numpy_helper.from_array(each, name) for name, each in file.tensors.items()]
        self._numpy_helper: Any = numpy_helper

    def model(self) -> bytes:
        """Build the whole network."""
        from onnx import TensorProto

        helper, shape = self._helper, self.file.shape
        value, policy = self._body()
        outputs = [self._add("Tanh", self._linear("value", value)), self._linear("policy", policy)]
        outputs.append(self._linear("margin", value))
        widths = (1, shape.actions, 1)
        graph = helper.make_graph(
            self._nodes,
            "network",
            [helper.make_tensor_value_info("inputs", TensorProto.FLOAT, ["batch", shape.inputs])],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", width])
                for name, width in zip(outputs, widths, strict=True)
            ],
            self._constants,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        data: bytes = model.SerializeToString()
        return data

    def _body(self) -> tuple[str, str]:
        shape, architecture = self.file.shape, self.file.architecture
        flat = "inputs"
        if architecture.convolutions:
            cells = shape.inputs - shape.scalars
            planes = self._add("Slice", "inputs", *self._integers([0], [cells], [1]))
            x = self._add("Reshape", planes, *self._integers([-1, shape.planes, shape.height, shape.width]))
            scalars = self._add("Slice", "inputs", *self._integers([cells], [shape.inputs], [1]))
            for index in range(len(architecture.convolutions)):
                x = self._convolution(f"conv{index}", x)
                if index == 0 and shape.scalars:
                    extra = self._add("Unsqueeze", self._linear("scalars", scalars), *self._integers([2, 3]))
                    x = self._add("Add", x, extra)
                x = self._add("Relu", x)
            for index in range(architecture.blocks):
                y = self._add("Relu", self._convolution(f"block{index}a", x))
                x = self._add("Relu", self._add("Add", self._convolution(f"block{index}b", y), x))
            if not architecture.linear:
                return self._heads(x, scalars)
            flat = self._add("Concat", self._add("Flatten", x), scalars, axis=1)
        for index in range(len(architecture.linear)):
            flat = self._add("Relu", self._linear(f"linear{index}", flat))
        return flat, flat

    def _heads(self, x: str, scalars: str) -> tuple[str, str]:
        policy = self._add("Flatten", self._add("Relu", self._convolution("policy_conv", x)))
        value = self._add("Flatten", self._add("Relu", self._convolution("value_conv", x)))
        hidden = self._linear("value_hidden", self._add("Concat", value, scalars, axis=1))
        return self._add("Relu", hidden), policy

    def _convolution(self, name: str, x: str) -> str:
        size = self.file.tensors[f"{name}.weight"].shape[-1]
        return self._add("Conv", x, f"{name}.weight", f"{name}.bias", pads=[size // 2] * 4)

    def _linear(self, name: str, x: str) -> str:
        return self._add("Gemm", x, f"{name}.weight", f"{name}.bias", transB=1)

    def _integers(self, *lists: list[int]) -> list[str]:
        import numpy as np

        names = [f"integers{len(self._constants) + index}" for index in range(len(lists))]
        pairs = zip(names, lists, strict=True)
        self._constants += [self._numpy_helper.from_array(np.array(each, np.int64), name) for name, each in pairs]
        return names

    def _add(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind.lower()}{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(kind, list(inputs), [name], **attributes))
        return name
