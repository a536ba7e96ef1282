"""``torchvision.models``: small residual networks, without trained weights (K. He et al., 2015).

Modules have torchvision's names, order and initialisation, so that parameters and prints agree. Larger networks are
left out: their parameters alone would fill a run's memory.
"""

from __future__ import annotations

from typing import Any

from engine.dialects.torch import shaping
from engine.dialects.torch.nn import init
from engine.dialects.torch.nn.activations import ReLU
from engine.dialects.torch.nn.containers import Sequential
from engine.dialects.torch.nn.convolution import Conv2d
from engine.dialects.torch.nn.layers import Linear
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.normalisation import BatchNorm2d
from engine.dialects.torch.nn.pooling import AdaptiveAvgPool2d, MaxPool2d


class BasicBlock(Module):
    """Two convolutions, and the input added to what they give."""

    __module__ = "torchvision.models.resnet"
    expansion = 1

    def __init__(self, inplanes: int, planes: int, stride: int = 1, downsample: Module | None = None) -> None:
        super().__init__()
        self.conv1 = Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = BatchNorm2d(planes)
        self.relu = ReLU(inplace=True)
        self.conv2 = Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = BatchNorm2d(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(Module):
    """Four stages of blocks, each after the first with half the size and twice the channels."""

    __module__ = "torchvision.models.resnet"

    def __init__(
        self, block: Any, layers: list[int], num_classes: int = 1000, zero_init_residual: bool = False
    ) -> None:
        super().__init__()
        self.inplanes = 64
        self.conv1 = Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = BatchNorm2d(64)
        self.relu = ReLU(inplace=True)
        self.maxpool = MaxPool2d(3, 2, 1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2)
        self.layer3 = self._make_layer(block, 256, layers[2], 2)
        self.layer4 = self._make_layer(block, 512, layers[3], 2)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.fc = Linear(512 * block.expansion, num_classes)
        for part in self.modules():
            if isinstance(part, Conv2d):
                init.kaiming_normal_(part.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(part, BatchNorm2d):
                init.constant_(part.weight, 1)
                init.constant_(part.bias, 0)
        if zero_init_residual:
            for part in self.modules():
                if isinstance(part, BasicBlock):
                    init.constant_(part.bn2.weight, 0)

    def _make_layer(self, block: Any, planes: int, blocks: int, stride: int = 1) -> Sequential:
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = Sequential(
                Conv2d(self.inplanes, planes * block.expansion, 1, stride, bias=False),
                BatchNorm2d(planes * block.expansion),
            )
        first = block(self.inplanes, planes, stride, downsample)
        self.inplanes = planes * block.expansion
        return Sequential(first, *(block(self.inplanes, planes) for _ in range(1, blocks)))

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(shaping.flatten(self.avgpool(x), 1))


def _untrained(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a network, if it is to begin with chance.

    :raises RuntimeError: trained weights are asked for.
    """
    if any([options.pop("weights", None), options.pop("pretrained", False)]):
        raise RuntimeError(
            f"torchvision.models.{name} downloads its weights, and programs have no network here; leave weights out, "
            "or put a state_dict beside the program and load it with load_state_dict"
        )
    options.pop("progress", None)
    return options


def resnet18(weights: Any = None, **options: Any) -> ResNet:
    """A residual network of 18 layers, 11.7 million parameters.

    :raises RuntimeError: trained weights are asked for.
    """
    return ResNet(BasicBlock, [2, 2, 2, 2], **_untrained("resnet18", {"weights": weights, **options}))


def resnet34(weights: Any = None, **options: Any) -> ResNet:
    """A residual network of 34 layers, 21.8 million parameters.

    :raises RuntimeError: trained weights are asked for.
    """
    return ResNet(BasicBlock, [3, 4, 6, 3], **_untrained("resnet34", {"weights": weights, **options}))


NAMES = "ResNet resnet18 resnet34"
