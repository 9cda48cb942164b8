//! Addresses that each panel is tried at, beside random ones.

/// Panel and parameters: the course notes' sizes, small ones, and what changes the code's way.
pub const CASES: &[(&str, &str)] = &[
    ("order", "page=order&d_model=8&heads=2"),
    (
        "order",
        "page=order&d_model=8&heads=2&causal=1&layers=3&tokens=char&seed=7",
    ),
    (
        "order",
        "page=order&d_model=12&heads=3&layers=2&text_a=a \"b\" \\ a&text_b=\\ a \"b\" a",
    ),
    ("order", "page=order&d_model=512&heads=16"),
    (
        "sinusoidal",
        "page=absolute&d_model=768&heads=12&seq_len=10",
    ),
    ("sinusoidal", "page=absolute&d_model=2&seq_len=1&base=1.5"),
    (
        "sinusoidal",
        "page=absolute&d_model=8&seq_len=4096&layout=concatenated&pos=4000&dim=6",
    ),
    (
        "sinusoidal",
        "page=absolute&d_model=768&seq_len=64&layout=t2t&base=500000&dim=700",
    ),
    (
        "relative",
        "page=relative&d_model=768&heads=12&seq_len=10&max_rel_dist=128&i=9&j=2&head=11",
    ),
    (
        "relative",
        "page=relative&d_model=8&heads=2&seq_len=200&max_rel_dist=16&i=3&j=190&head=1&causal=1",
    ),
    (
        "relative",
        "page=relative&d_model=8&heads=2&seq_len=40&max_rel_dist=4&bias=decay&bias_edits=0:2:1.5,1:8:-3",
    ),
    (
        "relative",
        "page=relative&d_model=4&heads=1&seq_len=1&max_rel_dist=1&bias=zero",
    ),
    (
        "shaw",
        "page=relative&scheme=shaw&d_model=768&heads=12&seq_len=10&max_rel_dist=128&i=9&j=2&head=11",
    ),
    (
        "shaw",
        "page=relative&scheme=shaw&d_model=8&heads=2&seq_len=60&max_rel_dist=4&i=3&j=50&causal=1",
    ),
    (
        "shaw",
        "page=relative&scheme=shaw&d_model=2&heads=1&seq_len=1&max_rel_dist=1",
    ),
    (
        "kerple",
        "page=relative&scheme=kerple&d_model=768&heads=12&seq_len=10&i=9&j=2&head=11",
    ),
    (
        "kerple",
        "page=relative&scheme=kerple&d_model=8&heads=2&seq_len=130&causal=1&bias_edits=0:0:1.5,1:1:0.25,1:0:-2,0:7:1",
    ),
    (
        "kerple",
        "page=relative&scheme=kerple&d_model=14&heads=7&seq_len=5&head=6",
    ),
    (
        "xpos",
        "page=rope&scheme=xpos&d_model=768&heads=12&seq_len=10&dim=70",
    ),
    (
        "xpos",
        "page=rope&scheme=xpos&d_model=12&heads=2&seq_len=300&pairing=half&causal=1&i=2&j=20&dim=10",
    ),
    ("xpos", "page=rope&scheme=xpos&d_model=2&heads=1&seq_len=1"),
    (
        "t5",
        "page=relative&scheme=t5&d_model=768&heads=12&seq_len=10&i=9&j=2",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=8&heads=2&seq_len=300&bias=decay&bias_edits=1:17:2&i=0&j=1&head=1",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=8&heads=2&seq_len=300&bias=decay&causal=1&i=299&j=0",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=4&heads=1&seq_len=1&bias=zero",
    ),
    (
        "alibi",
        "page=relative&scheme=alibi&d_model=768&heads=12&seq_len=10&i=9&j=2&head=11",
    ),
    (
        "alibi",
        "page=relative&scheme=alibi&d_model=8&heads=4&seq_len=130&causal=1",
    ),
    (
        "alibi",
        "page=relative&scheme=alibi&d_model=14&heads=7&seq_len=5&head=6",
    ),
    ("rope", "page=rope&d_model=768&heads=12&seq_len=10&dim=70"),
    (
        "rope",
        "page=rope&d_model=768&heads=12&seq_len=10&pairing=half&dim=100&causal=1",
    ),
    (
        "rope",
        "page=rope&d_model=8&heads=2&seq_len=4096&base=500000&i=4000&j=5&dim=7",
    ),
    (
        "rope",
        "page=rope&d_model=12&heads=2&seq_len=30&pairing=half&causal=1&i=2&j=20&dim=10",
    ),
    ("rope", "page=rope&d_model=2&heads=1&seq_len=1"),
    ("context", "page=context"),
    ("context", "page=context&preset=llama-2-7b&dim=70"),
    (
        "context",
        "page=context&preset=llama-2-7b&scaling=linear&factor=2.5&dim=5",
    ),
    (
        "context",
        "page=context&scaling=ntk&factor=8&d_model=128&heads=1&dim=127",
    ),
    (
        "context",
        "page=context&scaling=dynamic&factor=2&d_model=256&heads=2&orig_len=4096&target_len=10000",
    ),
    (
        "context",
        "page=context&scaling=dynamic&orig_len=4096&target_len=1000&pairing=half&dim=9",
    ),
    ("context", "page=context&preset=qwen2.5-7b&dim=90"),
    (
        "context",
        "page=context&scaling=yarn&factor=16&d_model=64&heads=1&orig_len=64&beta_fast=40&beta_slow=2&base=500",
    ),
    ("context", "page=context&preset=llama-3.1-8b&dim=76"),
    (
        "context",
        "page=context&scaling=yarn&factor=32&d_model=64&heads=1&orig_len=4096&base=150000&truncate=0&attention_factor=1.5",
    ),
    (
        "context",
        "page=context&scaling=llama3&factor=16&d_model=128&heads=1&orig_len=8192&base=500000&high_freq_factor=1",
    ),
    (
        "context",
        "page=context&scaling=longrope&d_model=96&heads=1&attention_factor=1.25",
    ),
    (
        "mrope",
        "page=multimodal&d_model=64&heads=1&mrope=qwen3vl&sections=11,11,10",
    ),
    ("mrope", "page=multimodal&sections=32,16,16"),
    (
        "context",
        "page=context&scaling=longrope&factor=32&orig_len=4096&target_len=131072&d_model=96&heads=1",
    ),
    (
        "context",
        "page=context&scaling=longrope&orig_len=4096&target_len=4096&d_model=2&heads=1",
    ),
    ("context", "page=context&scaling=ntk&d_model=2&heads=1"),
    ("grid", "page=multimodal"),
    (
        "grid",
        "page=multimodal&grid=3x5&d_model=8&heads=2&pos=14&dim=7",
    ),
    (
        "grid",
        "page=multimodal&grid=20x1&d_model=768&heads=12&pos=7&dim=500&base=100",
    ),
    ("mrope", "page=multimodal"),
    (
        "mrope",
        "page=multimodal&blocks=text:3,image:2x3,text:2,video:2x2x2,audio:8&mrope=qwen3vl&q=20&k=4",
    ),
    (
        "mrope",
        "page=multimodal&blocks=video:7x3x2,text:5,image:9x1&mrope=qwen25vl&fps=3&q=50&k=2&mod_bias=text:video:1.5",
    ),
    (
        "mrope",
        "page=multimodal&blocks=text:1,video:4x1x5&mrope=qwen25vl&fps=0.7&d_model=48&heads=2&base=10000&q=0&k=9",
    ),
    (
        "mrope",
        "page=multimodal&blocks=image:4x4,text:1&mrope=qwen3vl&d_model=64&heads=4&q=16&k=0&mod_bias=text:image:-2",
    ),
];
