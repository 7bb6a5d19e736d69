//! What the program says about itself and the machine: version, doctor, manual, completions.

use crate::support::{PROGRAM, bad, good, json, kalahari};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn the_version_names_its_commit_and_its_target() {
    let short = good(&["-V"]);
    assert!(short.starts_with("kalahari 0."), "{short}");
    assert_eq!(short.lines().count(), 1);
    let long = good(&["--version"]);
    assert!(long.starts_with(&short), "{long}");
    assert!(
        long.lines()
            .nth(1)
            .is_some_and(|line| line.contains(", for ")),
        "{long}"
    );
}

#[test]
fn the_version_is_that_of_the_changelog_and_the_citation() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect(name);
    let (changes, citation) = (read("CHANGELOG.md"), read("CITATION.cff"));
    let value = |key: &str| citation.lines().find_map(|line| line.strip_prefix(key));
    // A section of what is not released yet has no date.
    let sections = changes.lines().filter_map(|line| line.strip_prefix("## "));
    let (version, date) = sections
        .filter_map(|section| section.split_once(", "))
        .next()
        .expect("a version and its date");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!(value("version: "), Some(version));
    assert_eq!(value("date-released: "), Some(date));
}

#[test]
fn stores_journals_and_pages_name_the_program_that_made_them() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).display().to_string();
    let (tuned, games, journal, page) = (
        path("tune.db"),
        path("g.db"),
        path("p.proof"),
        path("r.html"),
    );
    let agent = "alphabeta:depth=1,eval=again";
    for arguments in [
        &[
            "match",
            "level:1",
            "level:2",
            "--game",
            "kalah:3x2",
            "--games",
            "2",
            "--db",
            &games,
        ][..],
        &[
            "tune",
            "run",
            agent,
            "--params",
            "bonus=-5..20",
            "--against",
            agent,
            "--game",
            "kalah:3x2",
            "--games",
            "4",
            "--db",
            &tuned,
        ],
        &[
            "prove",
            "kalah:3x2",
            "--at-least",
            "2",
            "--journal",
            &journal,
            "--threads",
            "1",
        ],
        &["review", "--db", &games, "--nodes", "50", "--html", &page],
    ] {
        let (status, _, err) = kalahari(arguments);
        assert_eq!(status, 0, "{arguments:?}: {err}");
    }
    let version = good(&["-V"]);
    let program = version.trim_start_matches("kalahari ").trim();
    let commit = program.split_once('(').map_or("", |(_, commit)| commit);
    let commit = commit.trim_end_matches(')');
    for file in [&games, &tuned, &journal, &page] {
        let content = std::fs::read(file).expect("a file");
        let content = String::from_utf8_lossy(&content);
        assert!(content.contains(commit), "{file} does not name {program}");
    }
}

#[test]
fn json_names_the_program_that_made_it() {
    let eval = json(&[
        "sprt", "--wins", "3", "--draws", "1", "--losses", "2", "--json",
    ]);
    let program = eval["made_by"].as_str().expect("the program");
    assert_eq!(format!("{program}\n"), good(&["-V"]));
}

#[test]
fn the_doctor_leaves_nothing_behind() {
    let place = tempfile::tempdir().expect("a folder");
    let home = place.path().join("not there yet");
    let doctor = |home: &std::path::Path, arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.arg("doctor").args(arguments);
        command
            .env("KALAHARI_HOME", home)
            .env("KALAHARI_CACHE", home.join("cache"));
        let output = command.output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (status, out, err) = doctor(&home, &["--json"]);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert!(found["cores"].as_u64() > Some(0));
    assert_eq!(found["data"]["bytes"], 0);
    assert!(!home.exists(), "the check created a folder");
    // A file in the folder is counted.
    std::fs::create_dir_all(home.join("tablebases")).expect("made");
    std::fs::write(home.join("tablebases/x"), [0; 3000]).expect("written");
    let (status, out, _) = doctor(&home, &[]);
    assert_eq!(status, Some(0));
    assert!(out.contains("tablebases") && out.contains("2 KiB"), "{out}");
    assert!(out.contains("none yet") && !out.contains("delete --all"));
    assert!(!out.contains("ratings.db"), "{out}");
    // The games of ratings are named, with what happens without them.
    std::fs::write(home.join("ratings.db"), [0; 2000]).expect("written");
    let (status, out, _) = doctor(&home, &[]);
    assert_eq!(status, Some(0));
    assert!(
        out.contains("ratings.db can be deleted: it keeps the games of `kalahari rate`"),
        "{out}"
    );
    #[cfg(unix)]
    assert!(out.contains(" free on its disk"), "{out}");
    // A file where the folder should be is a problem; the message says what to do.
    let file = place.path().join("file");
    std::fs::write(&file, "x").expect("written");
    let (status, out, err) = doctor(&file, &[]);
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains("PROBLEM") && err.contains("KALAHARI_HOME"),
        "{out} {err}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let [nowhere, ring] = ["nowhere", "ring"].map(|name| place.path().join(name));
        std::os::unix::fs::symlink(place.path().join("missing"), &nowhere).expect("a link");
        std::os::unix::fs::symlink(&ring, &ring).expect("a link");
        for link in [nowhere, ring] {
            let (status, out, _) = doctor(&link, &[]);
            assert!(status == Some(1) && out.contains("PROBLEM"), "{out}");
        }
        let odd = place.path().join(std::ffi::OsStr::from_bytes(b"\xff"));
        let (status, out, err) = doctor(&odd, &["--json"]);
        assert_eq!(status, Some(0), "{out} {err}");
    }
}

#[test]
fn shells_and_man_get_their_files() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            good(&["completions", shell]).contains("tablebase"),
            "{shell}"
        );
    }
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("man1");
    good(&["manual", "--man", folder.to_str().expect("UTF-8")]);
    assert!(folder.join("kalahari.1").is_file());
    assert!(good(&["manual"]).contains("== kalahari tune run"));
}

#[test]
fn a_host_that_is_not_an_address_is_refused() {
    bad(&["serve", "--host", "nosuch"], "--host is an IP address");
}

#[test]
fn the_page_has_the_book_if_it_was_built() {
    let home = tempfile::tempdir().expect("a folder");
    assert!(page_at("/book/", home.path()).contains("./scripts/book"));
    let book = home.path().join("book/players");
    std::fs::create_dir_all(&book).expect("made");
    std::fs::write(home.path().join("book/index.html"), "<p>chapter one").expect("written");
    std::fs::write(book.join("rules.html"), "<p>the rules").expect("written");
    assert!(page_at("/book/", home.path()).ends_with("<p>chapter one"));
    assert!(page_at("/book/players/rules.html", home.path()).ends_with("<p>the rules"));
    // The agents of the book are served as plain text.
    std::fs::write(book.join("greedy.py"), "def move").expect("written");
    let agent = page_at("/book/players/greedy.py", home.path());
    assert!(
        agent.contains("content-type: text/plain") && agent.ends_with("def move"),
        "{agent}"
    );
    let moved = page_at("/book", home.path());
    assert!(
        moved.starts_with("HTTP/1.1 308") && moved.contains("location: /book/"),
        "{moved}"
    );
    assert!(page_at("/book/../tablebases", home.path()).starts_with("HTTP/1.1 404"));
    let lost = page_at("/book/nothing.html", home.path());
    assert!(lost.starts_with("HTTP/1.1 404") && lost.contains("There is no such page"));
}

#[test]
fn the_page_without_a_server_has_the_book_if_it_was_built() {
    let home = tempfile::tempdir().expect("a folder");
    let module = home.path().join("module.wasm");
    std::fs::write(&module, b"\0asm, and the rest").expect("written");
    let site = home.path().join("site");
    let write = || {
        let written = Command::new(PROGRAM)
            .args(["site".as_ref(), site.as_os_str()])
            .args(["--module".as_ref(), module.as_os_str()])
            .env("KALAHARI_HOME", home.path())
            .output()
            .expect("the program runs");
        assert!(written.status.success(), "{written:?}");
        let read = |name: &str| std::fs::read_to_string(site.join(name)).expect("a file");
        (read("book/index.html"), read("service-worker.js"))
    };
    let (book, _) = write();
    assert!(book.contains("./scripts/book"), "{book}");
    std::fs::create_dir(home.path().join("book")).expect("made");
    std::fs::write(home.path().join("book/index.html"), "<p>chapter one").expect("written");
    let (book, service_worker) = write();
    assert_eq!(book, "<p>chapter one");
    assert!(
        !service_worker.contains("book/"),
        "the book is not kept for offline use"
    );
}

/// The complete answer, including the headers, of a server with this data directory.
fn page_at(path: &str, home: &std::path::Path) -> String {
    let mut command = Command::new(PROGRAM);
    command
        .args(["serve", "--port", "0"])
        .env("KALAHARI_HOME", home);
    let mut server = command
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let out = server.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut said).expect("a line");
    let address = said.trim().rsplit_once("http://").expect("an address").1;
    let address = address.trim_end_matches('/');
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    server.kill().expect("ended");
    server.wait().expect("gone");
    answer
}
