import torch


def position_ids(blocks, version, fps=2.0):
    """t, h, w of each token [3, n]. Blocks count merged tokens, without start and end markers."""
    pieces, start = [], 0
    for kind, *size in blocks:
        if kind in ("text", "audio"):  # t = h = w: one after another
            parts = [torch.arange(size[0]).repeat(3, 1)]
        else:
            frames, rows, columns = (1, *size) if kind == "image" else size
            times = torch.arange(frames)
            if version == "qwen25vl" and kind == "video":  # by real time, 2 ids a second
                times = (times.double() * (2 / fps) * 2).floor().long()  # 2 frames each
            if version == "qwen3vl":  # each temporal patch is a piece of its own
                times = torch.zeros(1, dtype=torch.long)
            axes = times, torch.arange(rows), torch.arange(columns)
            grid = torch.stack(torch.meshgrid(*axes, indexing="ij")).flatten(1)
            parts = [grid] * (frames if version == "qwen3vl" else 1)
        for part in parts:  # the next piece starts after the largest id so far
            pieces.append(part + start)
            start = pieces[-1].max().item() + 1
    return torch.cat(pieces, dim=1)


def axis_of_frequency(sections, version):
    """0 for t, 1 for h, 2 for w: three blocks, or dealt out in turn by Qwen3-VL."""
    t, h, w = sections
    axis = torch.zeros(t + h + w, dtype=torch.long)
    if version == "qwen3vl":
        axis[1 : 3 * h : 3], axis[2 : 3 * w : 3] = 1, 2
    else:
        axis[t : t + h], axis[t + h :] = 1, 2
    return axis


def rotate(x, cos, sin):  # x [n, head_dim], pairs (i, i + head_dim / 2)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)


version, head_dim = "{{mrope}}", {{head_dim}}
blocks = {{blocks}}
ids = position_ids(blocks, version, fps={{fps}})
inv_freq = {{mrope_base}} ** -(torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
axis = axis_of_frequency({{sections}}, version)  # frequencies of t, h and w
angle = ids[axis].T * inv_freq  # [n, head_dim / 2]
cos, sin = angle.cos(), angle.sin()
ones = rotate(torch.ones(ids.size(1), head_dim, dtype=torch.float64), cos, sin)
cell = ones[{{q}}] @ ones[{{k}}] / head_dim**0.5 + {{bias_qk}}  # traced
print(ids.shape, cos.shape, cell.item())
