"""A second implementation of three schemes, from their papers' formulas in float64.

Shaw (arXiv 1803.02155 eq. 4): q_i . a_ij / sqrt(d) with a_ij = w[clip(j - i, -k, k)], by an explicit
[n, n, d] tensor. KERPLE (2205.09921, logarithmic): -r1 log(1 + r2 |i - j|). xPos (2212.10554): pairs
as complex numbers, a query times (zeta^(1/512) e^(i theta))^m, a key times (zeta^(-1/512) e^(i theta))^n.

python3 schemes.py > schemes.json
"""

import json

import numpy as np

random = np.random.default_rng(20221)


def shaw(n, dim, k):
    q = random.standard_normal((n, dim))
    w = random.standard_normal((2 * k + 1, dim))  # row k + (j - i), as in the paper
    a = np.empty((n, n, dim))
    for i in range(n):
        for j in range(n):
            a[i, j] = w[max(-k, min(k, j - i)) + k]
    added = np.einsum("id,ijd->ij", q, a) / np.sqrt(dim)
    return {"k": k, "q": q.tolist(), "w": w.tolist(), "added": added.tolist()}


def kerple(n, heads):
    r = random.uniform(0.01, 2.0, (heads, 2))
    bias = [
        [[float(-r1 * np.log(1 + r2 * abs(i - j))) for j in range(n)] for i in range(n)]
        for r1, r2 in r
    ]
    return {"r": r.tolist(), "bias": bias}


def xpos(dim, base, pairing, at):
    q = random.standard_normal((len(at), dim))
    k = random.standard_normal((len(at), dim))
    half = dim // 2
    first = np.arange(half) if pairing == "half" else 2 * np.arange(half)
    second = first + half if pairing == "half" else first + 1
    theta = np.array([base ** (-2 * i / dim) for i in range(half)])
    zeta = np.array([(i / half + 0.4) / (1 + 0.4) for i in range(half)])

    def turn(x, sign):
        z = x[:, first] + 1j * x[:, second]
        m = np.array(at, dtype=float)[:, None]
        z = z * np.exp(m * (sign * np.log(zeta) / 512 + 1j * theta))
        out = np.empty_like(x)
        out[:, first], out[:, second] = z.real, z.imag
        return out

    return {
        "base": base,
        "pairing": pairing,
        "at": at,
        "q": q.tolist(),
        "k": k.tolist(),
        "zeta": zeta.tolist(),
        "queries": turn(q, 1).tolist(),
        "keys": turn(k, -1).tolist(),
    }


print(
    json.dumps(
        {
            "shaw": [shaw(7, 4, 2), shaw(5, 6, 9), shaw(1, 2, 1)],
            "kerple": [kerple(9, 3), kerple(40, 1)],
            "xpos": [
                xpos(8, 10000.0, "interleaved", [0, 1, 7, 100, 511, 512]),
                xpos(12, 500.0, "half", [0, 3, 64, 1000]),
                xpos(2, 10000.0, "half", [5, 2000]),
            ],
        }
    )
)
