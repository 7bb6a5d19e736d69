//! x
use kalahari_exact::{kalah::*,tablebase::*}; use kalahari_games::{kalah::*,Game}; use std::sync::{Arc,atomic::AtomicBool}; use std::time::Instant;
fn main(){ let a:Vec<String>=std::env::args().collect(); let spec:KalahSpec=a[1].parse().unwrap(); let tbn:usize=a[2].parse().unwrap(); let mb:u64=a[3].parse().unwrap(); let th:usize=a[4].parse().unwrap();
let game=Kalah::<Packed>::new(spec).unwrap(); let t=Instant::now();
let tb=Tablebase::build(TableSpec::of_game(spec).unwrap(),tbn,&Progress::default()).unwrap(); let t1=t.elapsed().as_secs_f64();
let s=Solver::new(&game,spec.total(),SolverOptions{memory:mb<<20,threads:th,tablebase:Some(Arc::new(tb)),techniques:Techniques::default()}).unwrap();
let stop=AtomicBool::new(false); let v=s.margin(&game.start(),&stop,&mut |b|eprintln!("  {:?} {:.2} nodes {:.1}M",b,t.elapsed().as_secs_f64(),s.nodes() as f64/1e6)); let t2=t.elapsed().as_secs_f64();
println!("{spec} tb {tbn} {t1:.2}s value {v:?} solve {:.2}s total {t2:.2}s nodes {:.1}M {:.2} M/s", t2-t1, s.nodes() as f64/1e6, s.nodes() as f64/1e6/(t2-t1));
if a.len()>5 { let m=s.moves(&game.start(),&stop,&mut|p,b|eprintln!("{p} {b:?} {:.2}",t.elapsed().as_secs_f64())); println!("{:?}",m.iter().map(|b|b.map(|b|b.lower)).collect::<Vec<_>>()); println!("{:?}", s.line(&game.start(), v.lower,&stop)); println!("all {:.2}s {:.1}M",t.elapsed().as_secs_f64(),s.nodes() as f64/1e6); }
println!("{:?}", std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l|l.starts_with("VmHWM"))); }
