//! Low precision, tokens, and numbers as texts.

use posenc_lab::core::precision::{to_bfloat16, to_float16};
use posenc_lab::core::tokens::{TokenKind, matching, tokenize};
use posenc_lab::state::real;
use proptest::prelude::*;

use crate::draw::cases;

proptest! {
    #![proptest_config(cases())]
    // Low precision, tokens.

    #[test]
    fn rounding_goes_to_a_nearest_number(x in -60000.0..60000.0f64) {
        for (round, bits) in [(to_bfloat16 as fn(f64) -> f64, 8), (to_float16, 11)] {
            let y = round(x);
            let step = (x.abs().log2().floor() - f64::from(bits - 1)).exp2();
            // Below 2^-14 float16 has fewer bits.
            prop_assert!((y - x).abs() <= (step / 2.0).max(2f64.powi(-25)), "{} -> {}", x, y);
            prop_assert_eq!(round(y), y);
        }
    }

    #[test]
    fn tokens_hold_the_text_and_match_their_permutation(text in "\\PC{0,20}", kind: bool) {
        let kind = if kind { TokenKind::Word } else { TokenKind::Char };
        let tokens = tokenize(&text, kind);
        let mut other = tokens.clone();
        other.reverse();
        let map = matching(&tokens, &other).expect("a permutation");
        for (i, &j) in map.iter().enumerate() {
            prop_assert_eq!(&tokens[i], &other[j]);
        }
        prop_assert!(tokens.iter().all(|t| !t.is_empty()));
    }
}

// Numbers as texts.

fn numeral() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<u64>().prop_map(|bits| f64::from_bits(bits).to_string()),
        any::<u64>().prop_map(|bits| format!("{:e}", f64::from_bits(bits))),
        // Half way between two neighbours, written out, and a little beside it.
        (any::<u64>(), "(0*1)?").prop_map(|(bits, more)| {
            let x = f64::from_bits(bits >> 12 | 1 << 60);
            format!("{:.70}5{more}", x)
        }),
        (1u64 << 53..1 << 63).prop_map(|n| (n | 1).to_string()),
        "[-+]?[0-9]{0,30}\\.?[0-9]{0,30}([eE][-+]?[0-9]{0,4})?",
        "[-+]?0{0,400}[0-9]{0,20}\\.0{0,400}[0-9]{0,900}(e[-+]?[0-9]{1,12})?",
        "[-+]?(inf|infinity|nan|INF|Infinity|NaN|infi|)",
        "[-+.eE0-9 _xnaif]{0,8}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_number_is_read_as_the_standard_library_reads_it(text in numeral()) {
        let bits = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        prop_assert_eq!(real(&text).map(bits), text.parse().ok().map(bits));
    }
}

#[test]
fn numbers_at_the_edges_are_read_as_the_standard_library_reads_them() {
    for text in [
        "",
        ".",
        "-",
        "+",
        "-.",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e-",
        "+-1",
        "5.",
        ".5",
        "-.5e+1",
        "-0",
        "0e99999999999",
        "0.0e-99999999999",
        "1e99999999999",
        "1e-99999999999",
        "2147483647e2147483647",
        "1e2147483648",
        "0.1e-2147483648",
        "1_0",
        "0x1",
        "1 ",
        "１",
        // The largest and the smallest, what rounds to them and what does not, and halves.
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000000000000001",
        "9007199254740991.5",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
    ] {
        let bits = |x: f64| x.to_bits();
        assert_eq!(real(text).map(bits), text.parse().ok().map(bits), "{text}");
    }
    let long = format!("0.{}1e1000", "0".repeat(999));
    assert_eq!(real(&long), Some(1.0));
    assert_eq!(real(&format!("1{}e-1000", "0".repeat(1000))), Some(1.0));
}
