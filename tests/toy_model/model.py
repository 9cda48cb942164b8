"""The toy model of page `order` in PyTorch, float64: expected.json from inputs.json.

    python tests/toy_model/model.py

Layer norm, softmax and attention are PyTorch's; encodings are written from their papers, scalings of RoPE from the rules of
transformers' modeling_rope_utils.py.
"""

import json
import math
import pathlib

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).parent
torch.set_default_dtype(torch.float64)
INPUTS = json.loads((HERE / "inputs.json").read_text())
D, HEADS, R = 8, 2, 2
HEAD = D // HEADS


def given(name):
    return torch.tensor(INPUTS[name])


def offsets(n):
    """i - j of query i and key j."""
    at = torch.arange(n)
    return at[:, None] - at[None, :]


# Vectors that are added.

def sinusoidal(n, layout="interleaved", base=10000.0):
    half = D // 2
    steps = half - 1 if layout == "t2t" else half
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(half) / steps)
    if layout == "interleaved":
        return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, D)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# Biases, one matrix a head.

def relative(n):
    return given("relative")[:, offsets(n).clamp(-R, R) + R]


def t5_bucket(key_minus_query, bidirectional, buckets=32, reach=128):
    """Raffel et al. 2020, and their released code."""
    bucket = 0
    if bidirectional:
        buckets //= 2
        bucket = buckets if key_minus_query > 0 else 0
        distance = abs(key_minus_query)
    else:
        distance = max(-key_minus_query, 0)
    exact = buckets // 2
    if distance < exact:
        return bucket + distance
    log = math.log(distance / exact) / math.log(reach / exact) * (buckets - exact)
    return bucket + min(exact + int(log + 1e-9), buckets - 1)


def t5(n, causal):
    table = given("t5_causal" if causal else "t5")
    index = torch.tensor([[t5_bucket(j - i, not causal) for j in range(n)] for i in range(n)])
    return table[:, index]


def alibi(n):
    slopes = torch.tensor([2.0 ** (-8 * (h + 1) / HEADS) for h in range(HEADS)])
    return -slopes[:, None, None] * offsets(n).abs()


def kerple(n):
    r1, r2 = given("kerple").T[:, :, None, None]
    return -r1 * torch.log(1 + r2 * offsets(n).abs())


# Rotations.

def frequencies(base, scaling, factor, orig_len, target_len):
    """Frequencies and attention factor."""
    i = torch.arange(HEAD // 2)
    dim = HEAD
    plain = base ** (-2 * i / dim)
    if scaling == "none":
        return plain, 1.0
    if scaling == "linear":
        return plain / factor, 1.0
    if scaling in ("ntk", "dynamic"):
        s = factor
        if scaling == "dynamic":
            s = factor * max(target_len, orig_len) / orig_len - (factor - 1)
        return (base * s ** (dim / (dim - 2))) ** (-2 * i / dim), 1.0
    if scaling == "yarn":
        def pair(turns):
            return dim * math.log(orig_len / (turns * 2 * math.pi)) / (2 * math.log(base))
        low, high = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), dim - 1)
        ramp = ((i - low) / ((high - low) or 0.001)).clamp(0, 1)
        return plain / factor * ramp + plain * (1 - ramp), 0.1 * math.log(factor) + 1
    if scaling == "llama3":
        turns = orig_len * plain / (2 * math.pi)
        smooth = ((turns - 1) / (4 - 1)).clamp(0, 1)
        return (1 - smooth) * plain / factor + smooth * plain, 1.0
    raise ValueError(scaling)


def rotate(x, w, pairing, stretch):
    """Each pair of x [n, HEAD] turned by position * w and multiplied by stretch [n, HEAD / 2]."""
    angles = torch.arange(x.shape[0])[:, None] * w
    turn = torch.polar(stretch.expand_as(angles).contiguous(), angles)
    if pairing == "interleaved":
        return torch.view_as_real(torch.view_as_complex(x.reshape(-1, HEAD // 2, 2)) * turn).reshape(-1, HEAD)
    a, b = x.chunk(2, dim=1)
    turned = torch.complex(a, b) * turn
    return torch.cat([turned.real, turned.imag], dim=1)


def xpos_stretch(n, sign):
    zeta = (2 * torch.arange(HEAD // 2) / HEAD + 0.4) / 1.4
    return zeta ** (sign * torch.arange(n)[:, None] / 512)


def run(tokens, scheme, layers=1, causal=False, layout="interleaved", pairing="interleaved", base=10000.0, scaling="none",
        factor=4.0, orig_len=2048, target_len=8192):
    h = torch.tensor([INPUTS["tokens"][t] for t in tokens])
    n = len(tokens)
    if scheme == "sinusoidal":
        h = h + sinusoidal(n, layout, base)
    if scheme == "learned":
        h = h + given("learned")[:n]
    biases = {"relative": lambda: relative(n), "t5": lambda: t5(n, causal), "alibi": lambda: alibi(n),
              "kerple": lambda: kerple(n)}
    bias = biases.get(scheme, lambda: torch.zeros(HEADS, n, n))()
    mask = torch.zeros(n, n)
    if causal:
        mask = mask.masked_fill(offsets(n) < 0, -torch.inf)
    w, attention = frequencies(base, scaling if scheme == "rope" else "none", factor, orig_len, target_len)
    one = torch.full((n, HEAD // 2), attention)
    weights = []
    for layer in range(layers):
        x = F.layer_norm(h, (D,), eps=1e-5)
        q, k, v = (F.linear(x, given(name)[layer]).reshape(n, HEADS, HEAD).transpose(0, 1) for name in ("w_q", "w_k", "w_v"))
        added = bias + mask
        if scheme == "shaw":
            # q_i · a_clip(i - j) / sqrt(head)
            rows = given("shaw")[:, offsets(n).clamp(-R, R) + R]
            added = added + torch.einsum("hid,hijd->hij", q, rows) / math.sqrt(HEAD)
        if scheme in ("rope", "xpos"):
            stretch_q, stretch_k = (xpos_stretch(n, 1), xpos_stretch(n, -1)) if scheme == "xpos" else (one, one)
            q = torch.stack([rotate(head, w, pairing, stretch_q) for head in q])
            k = torch.stack([rotate(head, w, pairing, stretch_k) for head in k])
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=added)
        weights.append(F.softmax(q @ k.transpose(1, 2) / math.sqrt(HEAD) + added, dim=-1))
        h = h + F.linear(out.transpose(0, 1).reshape(n, D), given("w_o")[layer])
    return torch.stack(weights), h


def cases():
    short, long = "abcad", "abcdefghijkl"
    yield short, {"scheme": "none"}
    yield short, {"scheme": "none", "layers": 4}
    yield short, {"scheme": "none", "layers": 2, "causal": True}
    for layout in ("interleaved", "concatenated", "t2t"):
        yield short, {"scheme": "sinusoidal", "layout": layout, "layers": 2}
    yield short, {"scheme": "learned", "layers": 3}
    yield short, {"scheme": "relative", "layers": 2}
    yield short, {"scheme": "relative", "layers": 4, "causal": True}
    yield short, {"scheme": "shaw", "layers": 3}
    yield long, {"scheme": "t5"}
    yield long, {"scheme": "t5", "causal": True}
    yield short, {"scheme": "alibi", "layers": 2, "causal": True}
    yield short, {"scheme": "alibi"}
    yield short, {"scheme": "kerple", "layers": 2}
    for pairing in ("interleaved", "half"):
        yield short, {"scheme": "rope", "pairing": pairing, "base": 100.0, "layers": 2}
        yield short, {"scheme": "xpos", "pairing": pairing, "base": 100.0, "layers": 2, "causal": True}
    yield short, {"scheme": "rope", "scaling": "linear", "base": 100.0, "layers": 2}
    yield short, {"scheme": "rope", "scaling": "ntk", "base": 100.0}
    yield short, {"scheme": "rope", "scaling": "dynamic", "orig_len": 16, "target_len": 64, "base": 100.0}
    yield short, {"scheme": "rope", "scaling": "yarn", "orig_len": 64, "base": 100.0, "layers": 2, "pairing": "half"}
    yield short, {"scheme": "rope", "scaling": "llama3", "orig_len": 16, "base": 100.0, "causal": True}


def query(tokens, options):
    words = {"text_a": "/".join(tokens), **{k: int(v) if isinstance(v, bool) else v for k, v in options.items()}}
    return "&".join(f"{k}={v}" for k, v in words.items())


def short(x):
    return json.loads(json.dumps(x.tolist()), parse_float=lambda t: round(float(t), 13))


def main():
    out = []
    for tokens, options in cases():
        weights, output = run(tokens, **options)
        case = {"query": query(tokens, options), "weights": short(weights), "output": short(output)}
        out.append(json.dumps(case))
    norms = []
    for x in ([1.0, 2.0, 3.0, 4.0], [0.001, -0.002, 0.003, 0.004], [1e-4, 0.0, -1e-4, 5e-5], [7.0, 7.0, 7.0], [100.0, -3.0]):
        y = F.layer_norm(torch.tensor(x), (len(x),), eps=1e-5)
        norms.append(json.dumps({"x": x, "y": y.tolist()}))
    text = '{"torch": "%s",\n"layer_norm": [\n%s\n],\n"cases": [\n%s\n]}\n' % (
        torch.__version__.split("+")[0], ",\n".join(norms), ",\n".join(out))
    (HERE / "expected.json").write_text(text)


main()
