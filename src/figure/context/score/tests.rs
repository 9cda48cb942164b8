use super::*;

#[test]
fn ctx_columns_cover_near_distances_and_reach_the_last() {
    for last in [15, 100, 8191, 131_071, (1 << 24) - 1] {
        let all = columns(last, 240, 12);
        assert_eq!(all[0].0, 1);
        let (from, n) = all[all.len() - 1];
        assert_eq!(from + n - 1, last);
        assert!(all.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0));
        assert!(all.iter().all(|(_, n)| (1..=12).contains(n)));
    }
}

#[test]
fn ctx_bands_are_those_of_cosines_one_by_one() {
    let f = Frequencies {
        inv_freq: (0..64)
            .map(|i| 10000f64.powf(-f64::from(i) / 64.0))
            .collect(),
        ratios: vec![1.0; 64],
        attention_factor: 1.2,
    };
    let all = columns(131_071, 240, 12);
    for (&(from, n), band) in all.iter().zip(bands(&f, &all)).step_by(17) {
        let d = (from..from + n).map(|d| d as f64);
        let known: Vec<f64> = similarity_by_distance(&f.inv_freq, d)
            .iter()
            .map(|c| 1.44 * c)
            .collect();
        let (low, high) = crate::figure::rope::curves::ends(known.iter().copied());
        let mean = known.iter().sum::<f64>() / n as f64;
        let wrong = (band.0 - low)
            .abs()
            .max((band.1 - mean).abs())
            .max((band.2 - high).abs());
        assert!(wrong < 1e-12, "{from}: {wrong}");
    }
}
