"""What a phone's camera reads where a page shows a QR code."""

from __future__ import annotations

import io

import zxingcpp
from PIL import Image
from playwright.sync_api import Locator


def read(shown: Locator) -> str:
    """The text of the one code in a picture of ``shown``, as it stands on the screen."""
    with Image.open(io.BytesIO(shown.screenshot())) as picture:
        (code,) = zxingcpp.read_barcodes(picture)
    assert code.format == zxingcpp.BarcodeFormat.QRCode
    text: str = code.text
    return text
