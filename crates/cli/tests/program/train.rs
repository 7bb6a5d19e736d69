//! `kalahari train`: from rows to a net that plays.

use crate::support::{bad, good, text};

#[test]
fn a_net_is_learned_and_plays_and_takes_the_place_of_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (rows, net) = (folder.path().join("rows"), folder.path().join("my.net"));
    let label = "engine:nodes=200,hash=1,tablebase=0,book=0";
    let build = [
        "dataset",
        "build",
        "kalah:4x2",
        "--label",
        label,
        "--rows",
        "300",
    ];
    good(&[&build[..], &["--out", text(&rows)]].concat());
    let train = |out| {
        [
            "train",
            text(&rows),
            "--rounds",
            "2",
            "--hidden",
            "4",
            "--out",
            out,
        ]
    };
    good(&train(text(&net)));
    let agent = format!("engine:eval=net:{},depth=3", text(&net));
    assert!(good(&["analyze", "kalah:4x2", "--agent", &agent]).contains("Best move"));
    // Again, over the old one; but over nothing else.
    good(&train(text(&net)));
    let shard = rows.join("shard-00000.parquet");
    let before = std::fs::read(&shard).expect("a shard");
    bad(&train(text(&shard)), "something else than a net");
    bad(&train(text(&rows)), "something else than a net");
    assert_eq!(std::fs::read(&shard).expect("a shard"), before);
}
