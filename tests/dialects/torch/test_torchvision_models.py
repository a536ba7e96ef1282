"""Networks of torchvision begin with torchvision's numbers and have its names."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dialects.torch import streams
from engine.dialects.torchvision import models


def test_a_residual_network_has_the_names_and_first_numbers_of_torchvision() -> None:
    streams.manual_seed(0)
    network = models.resnet18(num_classes=10)
    names = list(network.state_dict())
    assert (len(names), names[0], names[7], names[-1]) == (122, "conv1.weight", "layer1.0.bn1.weight", "fc.bias")
    assert sum(p.numel() for p in network.parameters()) == 11_181_642
    # What PyTorch 2.13 draws for this order of layers.
    bias = network.fc.bias.detach().numpy()[:4]
    np.testing.assert_allclose(bias, [0.0255, -0.0041, -0.0295, 0.0316], atol=6e-5)
    weight = network.layer3[0].downsample[0].weight.detach().numpy()[0, :3, 0, 0]
    np.testing.assert_allclose(weight, [-0.1616, 0.0287, -0.1031], atol=6e-5)


@pytest.mark.parametrize("options", [{"weights": "DEFAULT"}, {"pretrained": True}])
def test_trained_weights_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(RuntimeError, match=r"resnet34 downloads its weights.*load_state_dict"):
        models.resnet34(**options)
