import torch


def angles(positions, d, base):  # [n, d / 2]
    return positions[:, None] * base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)


def sinusoidal_1d(positions, d_model, base=10000.0, layout="interleaved"):
    angle = angles(positions, d_model, base)
    if layout == "interleaved":  # sin, cos, sin, cos, ...
        return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)
    if layout == "t2t":  # spaced by d_model / 2 - 1
        exponent = torch.linspace(0, 1, d_model // 2, dtype=torch.float64)
        angle = positions[:, None] * base ** -exponent
    return torch.cat((angle.sin(), angle.cos()), dim=-1)  # all sines, then all cosines


def sincos_2d(row, column, d_model, base=10000.0):
    """Half of d_model for the column, half for the row, each [sin | cos], in the order of MAE."""
    if d_model % 4:
        raise ValueError(f"d_model must be divisible by 4, got {d_model}")
    w, h = angles(column, d_model // 2, base), angles(row, d_model // 2, base)
    return torch.cat((w.sin(), w.cos(), h.sin(), h.cos()), dim=-1)


def swin_index(rows, columns):
    """Row of the bias table for each pair of cells [n, n]; the table has one row a difference."""
    row, column = torch.arange(rows), torch.arange(columns)
    row, column = row.repeat_interleave(columns), column.repeat(rows)
    down, right = row[:, None] - row, column[:, None] - column  # query - key
    return (down + rows - 1) * (2 * columns - 1) + right + columns - 1


def axial_rope(row, column, head_dim, base=10000.0):
    """cos and sin [n, head_dim / 2]: half of the pairs turns by row, then half by column."""
    if head_dim % 4:
        raise ValueError(f"head_dim must be divisible by 4, got {head_dim}")
    half = head_dim // 2
    angle = torch.cat((angles(row, half, base), angles(column, half, base)), dim=-1)
    return angle.cos(), angle.sin()


rows, columns, d_model, head_dim = {{grid_rows}}, {{grid_columns}}, {{d_model}}, {{head_dim}}
number = torch.arange(rows * columns, dtype=torch.float64)  # patches are counted row by row
row, column = torch.div(number, columns, rounding_mode="floor"), number % columns
base = {{grid_base}}
pe_1d = sinusoidal_1d(number, d_model, base, layout="{{layout}}").float()
# no 2D encoding of a width that 4 does not divide
pe = sincos_2d(row, column, d_model, base).float() if d_model % 4 == 0 else pe_1d
index = swin_index(rows, columns)  # the bias is table[index], a learned table
cos, sin = axial_rope(row, column, head_dim, base) if head_dim % 4 == 0 else (None, None)
cell = pe[{{pos}}, {{dim}}]  # traced
print(pe.shape, index.shape, cell.item())
