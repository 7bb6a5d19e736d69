//! x
use kalahari_exact::tablebase::*;
fn main(){ let spec:TableSpec="kalah:6".parse().unwrap(); let n:usize=std::env::args().nth(1).unwrap().parse().unwrap();
for _ in 0..2 { let t=std::time::Instant::now(); let tb=Tablebase::build(spec,n,&Progress::default()).unwrap(); let s=t.elapsed().as_secs_f64(); println!("{n} {} in {s:.3} = {:.1} M/s", tb.positions(), tb.positions() as f64/s/1e6);
println!("{:?}", std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l|l.starts_with("VmHWM")));} }
