//! Joins the pieces of an experiment.

use crate::book_target::BookTarget;
use crate::error::{PLACE_FILE, ShardError};
use crate::file::{Content, PlaceFile, rows_folder, rows_trouble};
use crate::found::{Finding, Found};
use crate::inspector::Inspector;
use crate::judgements::Judgements;
use crate::ledger::{Ledger, contradicts, other_judgement, other_margin};
use crate::plan::{Plan, Task};
use crate::survey::{Refused, Survey};
use kalahari_arena::{ArenaError, GameRows, Origin, Store};
use kalahari_dataset::{Collection, DatasetError};
use kalahari_prove::{Claim, Decided, Journal, ProveError};
use kalahari_storage::{Damage, FileError};
use kalahari_terms::Stop;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use thiserror::Error;

/// The files and folders that pieces are merged into.
#[derive(Debug, Default)]
pub struct Targets<'a> {
    /// The store of games.
    pub store: Option<&'a mut Store>,
    /// The folder of rows; if there is more than one dataset, each gets a subfolder.
    pub rows: Option<&'a Path>,
    /// The journal of a proof.
    pub journal: Option<&'a Path>,
    /// The file of judged games.
    pub judged: Option<&'a Path>,
    /// The file of an opening book. It is written when all its positions are solved; until then a file of progress lies beside it.
    pub book: Option<&'a Path>,
}

/// Counts of what was joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Pieces that were joined.
    pub shards: usize,
    /// Games of these pieces.
    pub games: u64,
    /// Games that the target did not have before.
    pub new_games: u64,
    /// Files of rows of these pieces.
    pub files: u64,
    /// Rows of these files.
    pub rows: u64,
    /// Decided jobs of a proof in these pieces.
    pub claims: u64,
    /// Claims and splits that the journal did not have before.
    pub new_claims: u64,
    /// Judged games of these pieces.
    pub judged: u64,
    /// Positions of a book in these pieces.
    pub positions: u64,
    /// Positions that the book did not have before.
    pub new_positions: u64,
}

impl Merged {
    fn add(&mut self, more: Merged) {
        self.shards += more.shards;
        self.games += more.games;
        self.new_games += more.new_games;
        self.files += more.files;
        self.rows += more.rows;
        self.claims += more.claims;
        self.new_claims += more.new_claims;
        self.judged += more.judged;
        self.positions += more.positions;
        self.new_positions += more.new_positions;
    }
}

/// Why pieces cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// No file is valid.
    #[error("there is no sound shard of an experiment")]
    Nothing,
    /// There are games, but no store for them.
    #[error("the experiment has games: --db FILE says where they go")]
    NoStore,
    /// There are rows, but no folder for them.
    #[error("the experiment has rows of a dataset: --out FOLDER says where they go")]
    NoFolder,
    /// There are claims, but no journal for them.
    #[error("the experiment has jobs of a proof: --journal FILE says where they go")]
    NoJournal,
    /// There are judged games, but no file for them.
    #[error("the experiment judges games: --judged FILE says where they go")]
    NoJudged,
    /// There are positions of a book, but no file for it.
    #[error("the experiment has positions of a book: --book FILE says where they go")]
    NoBook,
    /// There are several books, but only one file for them.
    #[error(
        "the experiment has more than one book, and a file holds only one: split it into several experiments"
    )]
    ManyBooks,
    /// There are several reviews, but only one file for them.
    #[error(
        "the experiment has more than one review, and a file holds only one: split it into several experiments"
    )]
    ManyReviews,
    /// An error of the store.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// An error of the dataset.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// An error of the journal.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The file of judged games, or the book, cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The book cannot be made, or the file is a deeper one.
    #[error(transparent)]
    Book(Box<ShardError>),
}

/// What the parts of a task are merged into.
enum Target {
    /// The store.
    Store,
    Rows(Collection),
    Journal(Journal),
    Judged(Judgements),
    Book(BookTarget),
}

/// How many pieces are read at a time, per thread. Few, because all their games are in memory.
const AHEAD: usize = 2;

/// Reads a piece and checks all of it except its files of rows.
fn read(path: &Path, file: &PlaceFile, inspector: &Inspector) -> Result<Content, FileError> {
    let (header, content) = inspector.read(path)?;
    match header == *file {
        true => Ok(content),
        false => {
            let what = Damage::nonsense("it was rewritten while it was being merged");
            Err(PLACE_FILE.error(path, what))
        }
    }
}

/// A piece to be joined: its path, its header, its prepared content and its findings.
type Joined<'a, T> = (&'a Path, &'a PlaceFile, T, &'a [Found]);

/// Joins a piece. The inner error says why the piece is refused; the outer one ends the merge.
type Joiner<'a, T> = &'a mut dyn FnMut(Joined<'_, T>) -> Result<Result<(), FileError>, MergeError>;

/// Reads all pieces of a survey, on all threads, and passes those that are valid and contradict no earlier piece to `each`, one after the
/// other. The others, and those that `each` refuses, are added to the refused files of the survey.
fn each_sound<T: Send>(
    survey: &mut Survey,
    prepare: impl Fn(&Content) -> Result<T, MergeError> + Sync,
    stop: &Stop,
    each: Joiner<'_, T>,
) -> Result<(), MergeError> {
    let inspector = survey.inspector.take().ok_or(MergeError::Nothing)?;
    let shards = survey.shards();
    let files = std::mem::take(&mut survey.files);
    let ready = |path: &Path, file: &PlaceFile| match read(path, file, &inspector) {
        Ok(content) => Ok(Ok((prepare(&content)?, content.found))),
        Err(why) => Ok(Err(why)),
    };
    // While this thread joins pieces, the others read and check the next ones.
    let (send, receive) = mpsc::sync_channel(1);
    let mut ledger = Ledger::default();
    let verdicts = std::thread::scope(|scope| {
        let (files, ready) = (&files, &ready);
        scope.spawn(move || {
            for some in files.chunks(AHEAD * rayon::current_num_threads().max(1)) {
                let read = some.par_iter().map(|(path, file)| ready(path, file));
                let read: Vec<Result<_, MergeError>> = read.collect();
                if stop.is_requested() || send.send(read).is_err() {
                    return;
                }
            }
        });
        let mut verdicts = Vec::new();
        for ((path, file), read) in files.iter().zip(receive.into_iter().flatten()) {
            if stop.is_requested() {
                break;
            }
            verdicts.push(match read? {
                Ok((prepared, found)) => match ledger.check(path, inspector.plan(), &found) {
                    Ok(()) => {
                        let joined = each((path, file, prepared, &found))?;
                        // A refused piece is not evidence against others.
                        if joined.is_ok() {
                            ledger.enter(path, inspector.plan(), &found);
                        }
                        joined
                    }
                    Err(why) => Err(why),
                },
                Err(why) => Err(why),
            });
        }
        Ok::<_, MergeError>(verdicts)
    })?;
    for (file, verdict) in files.into_iter().zip(verdicts) {
        match verdict {
            Ok(()) => survey.files.push(file),
            Err(why) => survey.refused.push(Refused { why }),
        }
    }
    survey.inspector = Some(inspector);
    if !stop.is_requested() {
        survey.look_for_missing(shards);
    }
    Ok(())
}

/// Checks all pieces of a survey as [`merge`] would, without joining them. Invalid pieces are added to the survey's refused files.
pub fn inspect(survey: &mut Survey, stop: &Stop) -> Result<(), MergeError> {
    if survey.files.is_empty() {
        return Ok(());
    }
    each_sound(survey, |_| Ok(()), stop, &mut |_| Ok(Ok(())))
}

/// Joins all pieces of a survey, one after the other. After a stop, the pieces joined so far stay joined. Pieces that turn out to be invalid
/// are added to the survey's refused files. `progress` gets the number of pieces joined so far.
pub fn merge(
    survey: &mut Survey,
    mut targets: Targets<'_>,
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<Merged, MergeError> {
    let plan = survey.plan.clone().ok_or(MergeError::Nothing)?;
    let mut open = enter(&plan, &mut targets)?;
    let mut merged = Merged::default();
    let rows = |content: &Content| Ok(GameRows::new(&content.games)?);
    each_sound(survey, rows, stop, &mut |piece| {
        let store = targets.store.as_deref_mut();
        Ok(join(piece, &plan, store, &mut open)?.map(|more| {
            merged.add(more);
            progress(merged.shards);
        }))
    })?;
    if let Some(store) = targets.store.as_deref_mut() {
        credit(&plan, &survey.files, store)?;
    }
    for (task, (_, target)) in plan.tasks().iter().zip(open) {
        match (task, target) {
            (_, Target::Rows(collection)) => {
                collection.finish()?;
            }
            (_, Target::Judged(judged)) => match targets.judged {
                Some(path) => judged.write(path)?,
                None => return Err(MergeError::NoJudged),
            },
            (Task::Claims(claims), Target::Journal(journal)) => {
                journal.conclude(claims.goal)?;
            }
            (_, Target::Book(book)) => book.finish()?,
            _ => {}
        }
    }
    Ok(merged)
}

/// Opens the target of every task, with its path, and enters the matches into the store.
fn enter(plan: &Plan, targets: &mut Targets<'_>) -> Result<Vec<(PathBuf, Target)>, MergeError> {
    let tasks = || plan.tasks().iter();
    let many = |is: fn(&Task) -> bool| tasks().filter(|task| is(task)).count() > 1;
    if many(|task| matches!(task, Task::Reviews(_))) {
        return Err(MergeError::ManyReviews);
    }
    if many(|task| matches!(task, Task::Frontier(_))) {
        return Err(MergeError::ManyBooks);
    }
    let mut open = Vec::new();
    for (number, task) in plan.tasks().iter().enumerate() {
        open.push(match task {
            Task::Games(games) => {
                let store = targets.store.as_deref_mut().ok_or(MergeError::NoStore)?;
                store.begin(&games.spec, &games.identity)?;
                (PathBuf::new(), Target::Store)
            }
            Task::Rows(rows) => {
                let folder = targets.rows.ok_or(MergeError::NoFolder)?;
                let folder = match many(|task| matches!(task, Task::Rows(_))) {
                    true => folder.join(format!("dataset-{number}")),
                    false => folder.to_owned(),
                };
                let rows = Collection::begin(&folder, &rows.recipe, &rows.identity)?;
                (folder, Target::Rows(rows))
            }
            Task::Claims(claims) => {
                let file = targets.journal.ok_or(MergeError::NoJournal)?;
                let journal = Journal::open(file, claims.game, &claims.position)?;
                (file.to_owned(), Target::Journal(journal))
            }
            Task::Reviews(reviews) => {
                let file = targets.judged.ok_or(MergeError::NoJudged)?;
                let judged = Judgements::open(file, reviews)?;
                (file.to_owned(), Target::Judged(judged))
            }
            Task::Frontier(frontier) => {
                let file = targets.book.ok_or(MergeError::NoBook)?;
                let book = BookTarget::open(file, frontier);
                let book = book.map_err(|error| match error {
                    ShardError::File(error) => MergeError::File(error),
                    other => MergeError::Book(Box::new(other)),
                })?;
                (file.to_owned(), Target::Book(book))
            }
        });
    }
    Ok(open)
}

/// Records in the store which machines played the games.
fn credit(
    plan: &Plan,
    files: &[(PathBuf, PlaceFile)],
    store: &mut Store,
) -> Result<(), ArenaError> {
    let mut origins: BTreeMap<String, (Origin, BTreeSet<String>)> = BTreeMap::new();
    for (_, file) in files.iter().filter(|(_, file)| file.games > 0) {
        let origin = Origin {
            program: file.program.clone(),
            commit: file.commit.clone(),
            machine: file.machine.to_string(),
            command: match file.source.file.is_empty() {
                true => String::new(),
                false => format!("kalahari run {}", file.source.file),
            },
            experiment: Some(file.source.text.clone()).filter(|text| !text.is_empty()),
        };
        let tasks = plan.at(file.place).into_iter();
        let matches = tasks.filter_map(|(task, _)| match &plan.tasks()[task] {
            Task::Games(games) => Some(games.id()),
            _ => None,
        });
        let key = format!("{} {} {:?}", origin.machine, origin.program, origin.commit);
        let entry = origins.entry(key);
        let (_, all) = entry.or_insert_with(|| (origin, BTreeSet::new()));
        all.extend(matches);
    }
    for (origin, matches) in origins.into_values() {
        store.credit(&origin, &matches.into_iter().collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Joins one piece. The inner error says why the piece is refused.
fn join(
    (path, file, games, found): Joined<'_, GameRows>,
    plan: &Plan,
    store: Option<&mut Store>,
    open: &mut [(PathBuf, Target)],
) -> Result<Result<Merged, FileError>, MergeError> {
    let mut merged = Merged {
        shards: 1,
        ..Merged::default()
    };
    // No part of a piece is joined if one of its findings contradicts the target.
    for one in found {
        let Some((target, known)) = open.get(one.task) else {
            continue;
        };
        if let Some(what) = known.contradiction(one, plan.tasks().get(one.task))? {
            return Ok(Err(contradicts(path, target.clone(), what)));
        }
    }
    // Rows before games: they are separate files, which may be missing, and then the piece is refused.
    let folder = path.parent().unwrap_or(Path::new(""));
    for rows in &file.rows {
        let Some((_, Target::Rows(collection))) = open.get_mut(rows.task) else {
            continue;
        };
        match collection.add(&rows.entry, &rows_folder(folder, rows.task)) {
            Ok(()) => {
                merged.files += 1;
                merged.rows += rows.entry.rows;
            }
            Err(DatasetError::File(why)) => return Ok(Err(rows_trouble(path, &why))),
            Err(error) => return Err(error.into()),
        }
    }
    if !games.is_empty() {
        let store = store.ok_or(MergeError::NoStore)?;
        merged.games = games.len() as u64;
        merged.new_games = store.add_rows(&games)?;
    }
    for (number, (task, (_, target))) in plan.tasks().iter().zip(open).enumerate() {
        let own = found.iter().filter(|found| found.task == number);
        match (task, target) {
            (Task::Claims(claims), Target::Journal(journal)) => {
                let decided: Vec<(Claim, Decided)> =
                    own.filter_map(|found| claims.answer(found)).collect();
                merged.claims += decided.len() as u64;
                merged.new_claims += journal.join(claims.goal, &claims.splits, &decided)?;
            }
            (Task::Reviews(_), Target::Judged(judged)) => {
                for found in own {
                    if let Finding::Game(kept) = &found.finding {
                        merged.judged += 1;
                        judged.games.insert(found.part, kept.clone());
                    }
                }
            }
            (Task::Frontier(_), Target::Book(book)) => {
                for found in own {
                    if let Finding::Margin(margin) = found.finding {
                        merged.positions += 1;
                        let is_new = book.add(found.part as usize, margin)?;
                        merged.new_positions += u64::from(is_new);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(Ok(merged))
}

impl Target {
    /// How a finding contradicts the target, if it does.
    fn contradiction(
        &self,
        one: &Found,
        task: Option<&Task>,
    ) -> Result<Option<String>, ProveError> {
        Ok(match (self, &one.finding, task) {
            (Target::Book(book), Finding::Margin(margin), _) => {
                let known = book.known(one.part as usize);
                let known = known.filter(|known| known != margin);
                known.map(|known| other_margin(one.part, *margin, known.into()))
            }
            (Target::Judged(judged), Finding::Game(kept), _) => {
                let known = judged.games.get(&one.part);
                let is_other = known.is_some_and(|known| known != kept);
                is_other.then(|| other_judgement(one.part))
            }
            (Target::Journal(journal), Finding::Claim(_), Some(Task::Claims(claims))) => {
                match claims.answer(one) {
                    Some((
                        claim,
                        Decided {
                            holds: Some(holds), ..
                        },
                    )) => {
                        let known = journal.contradiction(&claim, holds)?;
                        known.map(|known| {
                            let [here, there] =
                                [holds, !holds].map(|holds| if holds { "holds" } else { "fails" });
                            format!("'{claim}' {here} here, and '{known}' {there} there")
                        })
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }
}
