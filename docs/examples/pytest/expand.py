"""The octets of a robots.txt in the flat files."""

import base64


def octets(vector, key):
    """Returns the octets under a key of a vector or of a reply. The parts of a long file are joined."""
    file = {"text": vector.get(key), "base64": vector.get(key + "_base64", "")}
    joined = b""
    for part in vector.get(key + "_parts", [file]):
        text = part.get("text")
        data = base64.b64decode(part["base64"]) if text is None else text.encode()
        for number in range(1, part.get("times", 1) + 1):
            joined += data.replace(part["counter"].encode(), b"%d" % number) if "counter" in part else data
    assert len(joined) == vector.get(key + "_length", len(joined))
    return joined
