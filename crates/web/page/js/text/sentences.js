// What happens, what it is worth and why something is refused: sentences made of the data that travels.

import { settings } from "../settings.js";
import { NOBODY, Who, YOU, shortName, who } from "./names.js";
import { capital, number, percent, rounded, signed, t } from "./text.js";

/** @typedef {import("./names.js").Names} Names */
/** @typedef {import("./text.js").Key} Key */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../types.js").Unit} Unit */
/** @typedef {import("../types.js").Figure} Value */
/** @typedef {import("../types.js").Reviewed} Reviewed */
/** @typedef {import("../types.js").Chip} Chip */

/**
 * A sentence whose subject is a player.
 * @param {string} key without “.you” or “.other”
 * @param {Player} player
 * @param {Names} names
 * @param {Record<string, string | number>} [blanks]
 */
export function tell(key, player, names, blanks = {}) {
  const you = names[player] === YOU;
  return t(/** @type {Key} */ (`${key}.${you ? "you" : "other"}`), { Who: Who(names, player), who: who(names, player), short: shortName(names, player), ...blanks });
}

/** @param {number} pit from 0, as moves and positions count */
export const pitNumber = (pit) => String(pit + (settings.numbers === "0" ? 0 : 1));

/**
 * A move as people read it: pits are numbered as on the board.
 * @param {string} move
 */
export const moveText = (move) => (/^\d+$/.test(move) ? pitNumber(Number(move)) : move === "pass" ? t("do.pass") : move);

const seeds = (/** @type {number} */ n) => t("seeds", { n });

/**
 * What a move did.
 * @param {State} state
 * @param {Names} names
 */
export function lastWords(state, names) {
  if (!state.last) return "";
  return state.last.steps.map((step) => stepWords(step, names)).filter(Boolean).join(t("sentence.join"));
}

/**
 * @param {Step} step
 * @param {Names} names
 */
function stepWords(step, names) {
  switch (step.t) {
    case "lift": return tell("step.sow", step.player, names, { seeds: seeds(step.seeds), pit: pitNumber(step.pit) });
    case "capture": return tell("step.capture", step.player, names, { seeds: seeds(step.seeds) });
    case "sweep": return tell("step.sweep", step.player, names, { seeds: seeds(step.seeds) });
    case "again": return t("step.again");
    case "step": return step.from === null ? tell("step.place", step.player, names, { to: step.to }) : tell("step.go", step.player, names, { from: step.from, to: step.to });
    case "remove": return t("step.remove", { cell: step.cell });
    case "pass": return tell("step.pass", step.player, names);
    default: return "";
  }
}

/**
 * What a move would do: “sow pit 3 (4 seeds), another turn”.
 * @param {Step[]} steps
 */
export function doWords(steps) {
  const words = steps.map((step) => {
    switch (step.t) {
      case "lift": return t("do.sow", { pit: pitNumber(step.pit), seeds: seeds(step.seeds) });
      case "capture": return t("do.capture", { seeds: seeds(step.seeds) });
      case "again": return t("do.again");
      case "sweep": return t("do.sweep");
      case "step": return step.from === null ? t("do.place", { to: step.to }) : t("do.go", { to: step.to });
      case "remove": return t("do.remove", { cell: step.cell });
      case "pass": return t("do.pass");
      default: return "";
    }
  });
  return words.filter(Boolean).join(t("do.join"));
}

/**
 * How a finished game ended.
 * @param {State} state
 * @param {Names} names
 */
export function resultWords(state, names) {
  const { result, board } = state;
  if (!result) return t("result.over");
  const counts = board.kind === "kalah" ? board.stores : board.visited;
  const counted = (/** @type {number} */ n) => t(board.kind === "kalah" ? "seeds" : "cells", { n });
  if (result.winner === null) return t("result.draw", { each: counted(counts[0]) });
  const winner = result.winner;
  const loser = winner === 0 ? 1 : 0;
  if (result.counted) return tell("result.win", winner, names, { by: counted(Math.abs(result.margin)), more: counts[winner], fewer: counts[loser] });
  if (names[loser] === YOU) return t("result.stuck.me", { who: who(names, winner) });
  return tell("result.stuck", winner, names, { Loser: Who(names, loser) });
}

/**
 * How much, without its sign: “3 seeds”.
 * @param {number} value
 * @param {Unit} unit
 */
export function amount(value, unit) {
  if (unit === "winshare") return percent(Math.abs(value));
  const n = rounded(Math.abs(value));
  return t(unit === "seeds" ? "seeds" : unit === "cells" ? "cells" : "points", { n });
}

/**
 * What a move is worth, inside a sentence. It names the player who is ahead, so the reader need not know from whose side it is seen.
 * @param {Value} worth for the player who makes it
 * @param {Player} mover
 * @param {Names} names
 */
export function moveWorth(worth, mover, names) {
  const { value, unit, proven } = worth;
  if (unit === "winshare") return tell("stands.share", 0, names, { share: percent(forFirst(worth, mover).value) });
  if (value === 0) return t(proven || unit === "result" ? "stands.draw" : "stands.even");
  const better = value > 0 ? mover : other(mover);
  if (unit === "result") return tell(proven ? "stands.win" : "stands.likely", better, names);
  return tell(proven ? "stands.win.by" : "stands.ahead", better, names, { by: amount(value, unit) });
}

/** @param {Player} player @returns {Player} */
const other = (player) => (player === 0 ? 1 : 0);

/**
 * What a position is worth, said of the player who is ahead.
 * @param {Value} worth for the player to move
 * @param {Player} mover
 * @param {Names} names
 */
export function positionWorth({ value, unit, proven }, mover, names) {
  const good = unit === "winshare" ? value - 0.5 : value;
  const better = good < 0 ? other(mover) : mover;
  if (good === 0) return t(proven ? "position.draw" : "position.even");
  if (unit === "result") return tell(proven ? "position.win" : "position.likely", better, names);
  const by = amount(unit === "winshare" ? Math.abs(good) : value, unit);
  return tell(proven ? "position.win.by" : "position.ahead", better, names, { by });
}

/**
 * A value as the first player sees it, which is how all values are shown.
 * @param {Value} worth for the player to move
 * @param {Player} mover
 * @returns {Value}
 */
export function forFirst(worth, mover) {
  if (mover === 0) return worth;
  return { ...worth, value: worth.unit === "winshare" ? 1 - worth.value : worth.value === 0 ? 0 : -worth.value };
}

/**
 * A value in a few characters: +3, −1.5, 0, 55%; where only the result matters, the winner.
 * @param {Value} worth for the first player
 */
export function short({ value, unit }) {
  if (unit === "winshare") return percent(value);
  if (unit === "result") return t(value > 0 ? "graph.first" : value < 0 ? "graph.second" : "short.draw");
  return signed(value);
}

/**
 * A value on a move. The number is the first player's, the colour says whether it is good for the player who moves.
 * @param {Value} worth for the player to move
 * @param {Player} mover
 * @param {boolean} best
 * @returns {Chip}
 */
export function chip(worth, mover, best) {
  const seen = forFirst(worth, mover);
  const good = worth.unit === "winshare" ? worth.value - 0.5 : worth.value;
  const text = seen.unit === "result" ? signed(Math.sign(seen.value)) : seen.unit === "winshare" ? percent(seen.value) : signed(seen.value);
  return { text, proven: worth.proven, best, rank: good, tone: text === "0" || good === 0 ? "even" : good > 0 ? "good" : "bad" };
}

/**
 * What a move gave away: “about 4 seeds”, “a win”.
 * @param {Reviewed} judged
 */
export function lossWords(judged) {
  const { loss } = judged;
  if (loss.unit === "result") {
    const before = judged.player === 0 ? judged.bar : -judged.bar;
    return t(before > 0.9 ? "loss.win" : "loss.prospects");
  }
  const much = amount(loss.value, loss.unit);
  return loss.proven ? much : t("loss.about", { loss: much });
}

/**
 * What is thought of a move.
 * @param {Reviewed} judged
 * @param {Names} names
 */
export function judgedWords(judged, names) {
  const { judgement } = judged;
  if (judgement === "best") return t("judged.best.words", { worth: moveWorth(judged.played, judged.player, names) });
  return t(/** @type {Key} */ (`judged.${judgement}.words`), { loss: lossWords(judged), best: moveText(judged.best.move), worth: moveWorth(judged.best, judged.player, names) });
}

/**
 * Where a game turned.
 * @param {Reviewed} judged
 * @param {Names} names
 */
export function turningWords(judged, names) {
  return tell("turning", judged.player, names, {
    ply: judged.ply + 1, move: moveText(judged.played.move), loss: lossWords(judged), best: moveText(judged.best.move), worth: moveWorth(judged.best, judged.player, names),
  });
}

/**
 * `kalah:6x4:standard` as people say it.
 * @param {string} game
 */
export function gameName(game) {
  const [kind, size = "", rule = ""] = game.split(":");
  const [base, majority] = rule.split("+");
  const rules = [base && base !== "standard" ? ruleName(base) : "", majority ? t("rule.majority") : ""].filter(Boolean).join(t("do.join"));
  const blanks = { kind: t(kind === "kalah" ? "kalah" : "isolation"), size: size.replace("x", "×"), rule: rules };
  return t(rules ? "game.name.rule" : "game.name", blanks);
}

/** @param {string} rule */
export const ruleName = (rule) => t(/** @type {Key} */ (`rule.${rule}`));

/** @param {string} rule */
export const ruleAbout = (rule) => t(/** @type {Key} */ (`rule.${rule}.about`));

/** @param {number} millis */
export const time = (millis) => (millis < 1000 ? t("milliseconds", { n: millis }) : t("seconds", { n: millis / 1000 }));

/** @param {import("../types.js").Opponent} opponent */
export function opponentAbout({ kind, level, time_ms }) {
  const about = kind !== "level" ? t(`opponent.${kind}.about`) : level === 0 ? t("opponent.level0.about") : t("opponent.level.about", { n: level ?? 0 });
  if (time_ms === null) return about;
  return [about, t(kind === "level" ? "opponent.time.level" : "opponent.time", { time: time(time_ms) })].join(t("sentence.join"));
}

/**
 * How far a proof is.
 * @param {import("../types.js").Outlook} outlook
 * @param {Player} mover
 */
export function outlookWords({ lower, upper, proven, moves, seconds, table }, mover) {
  const [low, high] = mover === 0 ? [lower, upper] : [-upper, -lower];
  const bounds = t(moves ? "thinker.outlook.moves" : "thinker.outlook", { lower: signed(low), upper: signed(high), proven, moves });
  return [bounds, table ? t("thinker.table", { seeds: table.seeds, percent: table.percent }) : seconds && rest(seconds)].filter(Boolean).join(t("thinker.join"));
}

/**
 * How long the rest of a proof is likely to take.
 * @param {number[]} seconds At least and at most.
 */
function rest([least = 0, most = 0]) {
  if (least >= 86400) return t("thinker.not.today");
  return least < 1 ? t("thinker.within", { most: span(Math.max(most, 1)) }) : t("thinker.between", { least: span(least), most: span(most) });
}

/** @param {number} seconds */
function span(seconds) {
  const unit = seconds < 120 ? "second" : seconds < 7200 ? "minute" : "hour";
  const size = { second: 1, minute: 60, hour: 3600 }[unit];
  return number(Math.round(seconds / size), 0, { style: "unit", unit, unitDisplay: "long" });
}

/**
 * The line of best play, by turns: “first: 3 5, second: 4”.
 * @param {import("../types.js").Info} info
 * @param {(player: Player) => string} name
 */
export function lineWords(info, name) {
  /** @type {{player: Player, moves: string[]}[]} */
  const turns = [];
  info.pv_players.forEach((player, i) => {
    const last = turns.at(-1);
    if (last?.player === player) last.moves.push(moveText(info.pv[i]));
    else turns.push({ player, moves: [moveText(info.pv[i])] });
  });
  return capital(turns.map(({ player, moves }) => t("thinker.turn", { who: name(player), moves: moves.join(" ") })).join(t("do.join")));
}

/** Refusals that have their own sentence. */
const KNOWN = ["no_invitation", "owner_only", "no_rooms", "no_room", "taken", "stale", "not_your_turn", "not_yours", "no_offer", "alone", "offline", "lost", "file", "no_worker", "no_module", "bad_game", "bad_position", "bad_move", "bad_text", "bad_agent", "game_over", "too_long", "not_found", "no_store", "no_live",
  "no_server", "forbidden", "too_many", "busy", "timeout", "internal"];

/**
 * Why something was refused.
 * @param {unknown} error words, a refusal, or a fault of the page
 * @param {(move: string) => string} [written] how moves are written where it is read
 */
export function problemWords(error, written = moveText) {
  const problem = /** @type {Partial<import("../types.js").Problem>} */ (error);
  if (typeof problem?.code !== "string") return typeof error === "string" ? error : ownFault(error);
  if (!KNOWN.includes(problem.code)) return t("problem.other");
  const at = problem.at !== null && problem.at !== undefined && ["bad_position", "bad_move"].includes(problem.code);
  const what = problem.what ?? "";
  return t(/** @type {Key} */ (`problem.${problem.code}${at ? ".at" : ""}`), { what: problem.code === "bad_move" && !at ? written(what) : what, at: problem.at ?? 0 });
}

/** A fault of the page itself: details go to the console only. @param {unknown} error */
function ownFault(error) {
  console.error(error);
  return t("problem.page");
}

/** No names: players are called first and second, for sentences of the board. */
export const NEUTRAL = NOBODY;
