//! Models that set several parameters at once.

use posenc_lab::core::encoding::rope_scaling::Remedy;
use posenc_lab::state::{Key, Kind, MODELS, decode, encode};

use crate::read::{read, told};

#[test]
fn a_model_sets_what_is_not_given_otherwise() {
    let (p, notices) = read("page=context&preset=llama-3.1-8b");
    assert!(notices.is_empty(), "{notices:?}");
    let c = p.setting.context;
    assert_eq!(
        (p.setting.d_model, p.setting.heads, p.setting.base),
        (4096, 32, 500_000.0)
    );
    assert_eq!((c.remedy, c.factor), (Remedy::Llama3, 8.0));
    assert_eq!((c.orig_len, c.target_len), (8192, 131_072));
    // One given value, a default among them, keeps the others, on either side of the model.
    for query in [
        "preset=llama-3.1-8b&factor=4",
        "factor=4&preset=llama-3.1-8b",
    ] {
        let (p, _) = read(&format!("page=context&{query}"));
        assert_eq!(
            (p.setting.context.factor, p.setting.context.remedy),
            (4.0, Remedy::Llama3)
        );
        let requested = decode(&format!("page=context&{query}")).0;
        let again = encode(&requested);
        assert_eq!(again, "v=1&page=context&factor=4&preset=llama-3.1-8b");
        assert_eq!(decode(&again).0, requested);
    }
    let same = decode("preset=llama-3.1-8b&factor=8&scaling=llama3").0;
    assert_eq!(encode(&same), "v=1&preset=llama-3.1-8b");
    assert_eq!(
        told("page=context&preset=gpt-9"),
        ["unknown-word preset gpt-9 "]
    );
}

#[test]
fn choosing_and_leaving_a_model() {
    let model = |id: &str| posenc_lab::state::MODELS.iter().find(|m| m.id == id);
    let mut r = decode("page=context&base=777&pos=5").0;
    r.choose(model("qwen2.5-7b"));
    assert_eq!(encode(&r), "v=1&page=context&pos=5&preset=qwen2.5-7b");
    r.set_text(Key::Base, "10000").expect("legal");
    assert_eq!(
        encode(&r),
        "v=1&page=context&base=10000&pos=5&preset=qwen2.5-7b"
    );
    r.choose(model("llama-2-7b"));
    assert_eq!(encode(&r), "v=1&page=context&pos=5&preset=llama-2-7b");
    r.choose(None);
    assert_eq!(encode(&r), "v=1&page=context&pos=5");
    // What the address says without its model is still canonical.
    let mut r = decode("preset=llama-3.1-8b&factor=4&heads=8").0;
    r.clear(Key::Preset);
    assert_eq!(encode(&r), "v=1&heads=8");
}

/// Whatever was changed under one model, another starts as it is.
#[test]
fn a_model_chosen_after_another_leaves_nothing_of_it() {
    for before in MODELS {
        for after in MODELS.iter().map(Some).chain([None]) {
            let mut r = decode(&format!("page=context&pos=5&preset={}", before.id)).0;
            for (key, _) in before.values {
                let text = match key.spec().kind {
                    Kind::Words(_) => "dynamic",
                    Kind::Int { .. } => "24",
                    _ => "7",
                };
                r.set_text(*key, text).expect("legal");
                assert!(r.get(*key).is_some(), "{key:?} is changed");
            }
            r.choose(after);
            let preset = after.map_or(String::new(), |m| format!("&preset={}", m.id));
            assert_eq!(encode(&r), format!("v=1&page=context&pos=5{preset}"));
        }
    }
}
