//! Tells the package which commit it is.

fn main() {
    kalahari_commit::tell_cargo();
}
