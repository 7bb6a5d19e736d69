//! Reads the options of a spec one by one and refuses those that the agent does not have.

use crate::{AgentError, AgentProblem, AgentSpec, OptionKey};
use kalahari_search::eval::{Registry, name_and_file};
use kalahari_search::{Parameter, Searchable};
use kalahari_terms::{Limits, parse_duration};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The largest table of any machine, in MiB.
const MOST_HASH: usize = 1 << 16;

/// The largest table that this machine has memory for now, in MiB.
pub(crate) fn most_hash() -> usize {
    let spare = kalahari_storage::spare_memory();
    spare.map_or(MOST_HASH, |bytes| ((bytes >> 20) as usize).min(MOST_HASH))
}

/// What a spec says about an evaluation that is optional.
pub(crate) enum EvalChoice<E> {
    /// The spec does not say.
    Unnamed,
    /// No evaluation: `eval=none`.
    None,
    /// This evaluation.
    Named(E),
}

/// The options of a spec that have not been used yet.
pub(crate) struct Options<'a> {
    spec: &'a AgentSpec,
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(spec: &'a AgentSpec) -> Result<Self, AgentError> {
        let left: Vec<_> = spec.options().collect();
        for (i, (key, _)) in left.iter().enumerate() {
            if !key.is_empty() && left[..i].iter().any(|(earlier, _)| earlier == key) {
                return Err(spec.error(AgentProblem::Twice((*key).to_owned())));
            }
        }
        Ok(Options { spec, left })
    }

    /// Takes an option's text.
    pub(crate) fn text(&mut self, key: OptionKey) -> Option<&'a str> {
        debug_assert!(
            self.spec.kind().keys().contains(&key),
            "the registry has no {key:?} for {:?}",
            self.spec.kind()
        );
        self.text_of(key.name())
    }

    /// Takes the text of an option or of an evaluation's parameter by its name.
    fn text_of(&mut self, key: &str) -> Option<&'a str> {
        let place = self.left.iter().position(|(name, _)| *name == key)?;
        Some(self.left.remove(place).1)
    }

    /// Takes an option and parses it.
    pub(crate) fn take<T: FromStr<Err: Display>>(
        &mut self,
        key: OptionKey,
    ) -> Result<Option<T>, AgentError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|error: T::Err| {
            self.spec.error(AgentProblem::Unreadable {
                key: key.name().to_owned(),
                value: text.to_owned(),
                reason: error.to_string(),
            })
        })
    }

    /// Takes a number that has to lie in a range.
    pub(crate) fn number<T>(
        &mut self,
        key: OptionKey,
        least: T,
        most: T,
    ) -> Result<Option<T>, AgentError>
    where
        T: FromStr<Err: Display> + PartialOrd + Display + Copy,
    {
        match self.take::<T>(key)? {
            Some(number) if !(number >= least && number <= most) => {
                Err(self.spec.error(AgentProblem::OutOfRange {
                    key: key.name().to_owned(),
                    least: least.to_string(),
                    most: most.to_string(),
                    value: number.to_string(),
                }))
            }
            number => Ok(number),
        }
    }

    /// Takes the size of a table in MiB. This machine must have memory for it now.
    pub(crate) fn hash(&mut self) -> Result<Option<usize>, AgentError> {
        let Some(wanted) = self.number(OptionKey::Hash, 1, MOST_HASH)? else {
            return Ok(None);
        };
        let most = most_hash();
        match wanted <= most {
            true => Ok(Some(wanted)),
            false => Err(self.spec.error(AgentProblem::NoMemory { wanted, most })),
        }
    }

    /// Takes a tunable number; its default if the spec does not name it.
    pub(crate) fn parameter(&mut self, parameter: &Parameter) -> Result<f64, AgentError> {
        let key = OptionKey::by_name(parameter.name);
        debug_assert!(key.is_some_and(|key| self.spec.kind().keys().contains(&key)));
        match self.text_of(parameter.name) {
            None => Ok(parameter.value),
            Some(text) => parameter.read(text).map_err(|error| self.spec.error(error)),
        }
    }

    /// Takes a switch, `0` or `1`.
    pub(crate) fn switch(&mut self, key: OptionKey) -> Result<Option<bool>, AgentError> {
        match self.text(key) {
            None => Ok(None),
            Some("0") => Ok(Some(false)),
            Some("1") => Ok(Some(true)),
            Some(text) => Err(self.spec.error(AgentProblem::NoSwitch {
                key: key.name().to_owned(),
                value: text.to_owned(),
            })),
        }
    }

    /// Takes the time for a move.
    pub(crate) fn time(&mut self) -> Result<Option<Duration>, AgentError> {
        let time = self.text(OptionKey::Time).map(parse_duration).transpose();
        time.map_err(|problem| self.spec.error(problem))
    }

    /// Takes the limits of a search; `nodes` is the option that limits its work.
    pub(crate) fn limits(&mut self, nodes: OptionKey) -> Result<Limits, AgentError> {
        let time = self.time()?;
        Ok(Limits {
            depth: self.number(OptionKey::Depth, 1, 1_000)?,
            nodes: self.take(nodes)?,
            time,
            clock: None,
        })
    }

    /// Takes `eval`, or the default, and the options of that evaluation.
    pub(crate) fn eval<G: Searchable>(
        &mut self,
        game: &G,
        default: &str,
    ) -> Result<G::Eval, AgentError> {
        let name = self.text(OptionKey::Eval).unwrap_or(default);
        self.eval_of_name(game, name)
    }

    /// Takes `eval` and the options of that evaluation; `eval=none` is allowed, too.
    pub(crate) fn eval_unless_none<G: Searchable>(
        &mut self,
        game: &G,
    ) -> Result<EvalChoice<G::Eval>, AgentError> {
        match self.text(OptionKey::Eval) {
            None => Ok(EvalChoice::Unnamed),
            Some("none") => Ok(EvalChoice::None),
            Some(name) => self.eval_of_name(game, name).map(EvalChoice::Named),
        }
    }

    fn eval_of_name<G: Searchable>(&mut self, game: &G, name: &str) -> Result<G::Eval, AgentError> {
        let (kind, _) = name_and_file(name);
        let kind = G::Eval::kinds().iter().find(|known| known.name == kind);
        let files = kind.map_or(&[][..], |kind| kind.files).iter().copied();
        let parameters = G::Eval::parameters(name, game);
        let numbers = parameters.iter().map(|parameter| parameter.name);
        let own: Vec<(&str, &str)> = numbers
            .chain(files)
            .filter_map(|key| Some((key, self.text_of(key)?)))
            .collect();
        G::Eval::new(name, game, &own).map_err(|error| self.spec.error(error))
    }

    /// Makes sure that every option has been taken.
    pub(crate) fn finish(self) -> Result<(), AgentError> {
        match self.left.first() {
            None => Ok(()),
            Some(("", value)) => Err(self.spec.error(AgentProblem::NoOption((*value).to_owned()))),
            Some((key, _)) => Err(self.spec.error(AgentProblem::UnknownOption {
                option: (*key).to_owned(),
                known: self.spec.kind().options(),
            })),
        }
    }
}
