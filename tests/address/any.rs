//! Whatever is asked: nothing breaks, and what was written reads back the same.

use posenc_lab::state::{Kind, Page, SPECS, decode, encode, legal_heads};
use proptest::prelude::*;

use crate::read::read;

/// A query with a legal or nearly legal value for some parameters.
fn queries() -> impl Strategy<Value = String> {
    let one = (0..SPECS.len()).prop_flat_map(|at| {
        let spec = &SPECS[at];
        let value = match spec.kind {
            Kind::Int { min, max, .. } => (min - 1..=max + 1).prop_map(|x| x.to_string()).boxed(),
            Kind::Place => (-1..10_000i64).prop_map(|x| x.to_string()).boxed(),
            Kind::Real { min, max } => (min..max).prop_map(|x| x.to_string()).boxed(),
            Kind::Words(words) => proptest::sample::select(words.to_vec())
                .prop_map(str::to_owned)
                .boxed(),
            Kind::Flag => "[01]".boxed(),
            Kind::Edits => "([0-9]:[0-9]{1,2}:-?[0-9]\\.[0-9],?){0,4}".boxed(),
            Kind::Rows => "[0-9]-[0-9]{2}".boxed(),
            Kind::Grid { max } => (0..=max + 1, 1..=max)
                .prop_map(|(r, c)| format!("{r}x{c}"))
                .boxed(),
            Kind::Blocks => "(text:[0-9]{1,3},|image:[0-9]x[0-9]{1,2},|video:[0-9]x[0-9]x[0-9],|audio:[0-9]{1,4},?){0,5}".boxed(),
            Kind::ModBias => "((text|image|video|audio|x):(text|image|audio):-?[0-9]\\.[0-9],?){0,4}".boxed(),
            Kind::Sections => "[0-9]{1,2},[0-9]{1,2},[0-9]{1,2}".boxed(),
            Kind::Names => "[a-z_]{1,8}(,[a-z_]{1,8}){0,2}".boxed(),
            _ => "\\PC{0,12}".boxed(),
        };
        value.prop_map(move |v| {
            form_urlencoded::Serializer::new(String::new())
                .append_pair(spec.name, &v)
                .finish()
        })
    });
    proptest::collection::vec(one, 0..8).prop_map(|parts| parts.join("&"))
}

proptest! {
    #[test]
    fn decoding_what_was_encoded_gives_the_same(query in queries()) {
        let (requested, _) = decode(&query);
        let (again, notices) = decode(&encode(&requested));
        prop_assert!(notices.is_empty(), "{:?}", notices);
        prop_assert_eq!(&again, &requested);
        prop_assert_eq!(encode(&again), encode(&requested));
    }

    #[test]
    fn resolved_parameters_are_legal_whatever_was_asked(query in queries()) {
        let (p, _) = read(&query);
        let s = &p.setting;
        prop_assert!(s.d_model.is_multiple_of(2) && s.d_model <= 4096);
        prop_assert!(legal_heads(s.d_model).contains(&s.heads));
        prop_assert!(p.page.schemes().any(|s| s == p.scheme));
        prop_assert!(p.dim < s.d_model && p.head < s.heads);
        if p.page == Page::Multimodal {
            prop_assert!(p.pos < p.grid.cells() && p.i.max(p.j) < p.window.cells());
            let arrays = p.scheme2d.map(|of| of.arrays(s, p.grid_base, p.grid, 0..1).is_ok());
            prop_assert!(arrays.unwrap_or(true));
        } else {
            prop_assert!(p.pos < p.seq_len && p.i.max(p.j) < p.seq_len);
        }
        prop_assert!((1..=64).contains(&p.tokens_a.len()));
        prop_assert!(p.page.is_live());
        let ids = p.sequence.ids();
        prop_assert!(ids.is_ok_and(|ids| (1..=4096).contains(&ids.len())));
        prop_assert!(p.sequence.rope(s.d_model / s.heads).is_ok());
        prop_assert!(p.scheme.prepare(s, p.tokens_a.len()).is_ok());
    }

    #[test]
    fn any_string_is_safe(query in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        read(&query);
        read(&String::from_utf8_lossy(&bytes));
    }
}
