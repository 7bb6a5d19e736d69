// The shapes of crates/web/API.md, for the type checker only: no browser loads this file.

export type Player = 0 | 1;

export interface Line {
  game: string;
  start: string | null;
  moves: string[];
  /** How many moves are the opening's, which nobody chose. */
  opening?: number;
}

export interface KalahBoardData {
  kind: "kalah";
  pits: [number[], number[]];
  stores: [number, number];
}

export interface IsolationBoardData {
  kind: "isolation";
  rows: number;
  cols: number;
  rule: string;
  cells: string;
  pieces: [string | null, string | null];
  visited: [number, number];
}

export type BoardData = KalahBoardData | IsolationBoardData;

export interface Pit {
  player: Player;
  pit: number;
  seeds: number;
}

export type Step =
  | { t: "lift"; player: Player; pit: number; seeds: number }
  | { t: "sow"; player: Player; pit: number | null; now: number }
  | { t: "capture"; player: Player; seeds: number; from: Pit[] }
  | { t: "sweep"; player: Player; seeds: number; from: Pit[] }
  | { t: "again"; player: Player }
  | { t: "step"; player: Player; from: string | null; to: string }
  | { t: "block"; cell: string }
  | { t: "remove"; cell: string }
  | { t: "pass"; player: Player };

export interface Legal {
  move: string | null;
  words: string;
  pit: number | null;
  to: string | null;
  extra_turn: boolean;
  captures: number;
}

export interface Result {
  winner: Player | null;
  margin: number;
  words: string;
}

export interface Last {
  move: string;
  player: Player;
  words: string;
  again: boolean;
  captured: number;
  steps: Step[];
}

export interface State {
  ply: number;
  position: string;
  to_move: Player;
  board: BoardData;
  legal: Legal[];
  removable: string[] | null;
  over: boolean;
  result: Result | null;
  last: Last | null;
}

export interface LineAnswer extends Line {
  players: [string, string] | null;
  states: State[];
  text: string;
  record: string | null;
  ahead?: State[];
}

/** What the server puts into the page. */
export interface Given {
  meta: Meta;
  first: LineAnswer | null;
}

export interface Rule {
  name: string;
  about: string;
  rows: number | null;
  cols: number | null;
}

export interface GameMeta {
  kind: "kalah" | "isolation";
  default: string;
  presets: string[];
  rules: Rule[];
  majority: boolean;
  limits: Record<"pits" | "seeds" | "rows" | "cols", [number, number] | null>;
}

export interface Opponent {
  agent: string;
  name: string;
  about: string;
}

export interface Meta {
  version: string;
  games: GameMeta[];
  opponents: Opponent[];
  caps: Record<string, number>;
  arena: boolean;
  live: boolean;
}

export interface SetupAnswer {
  game: string;
  start: string;
  state: State;
  notes: string[];
}

export interface PuzzleListed {
  id: string;
  game: string;
  level: number;
  moves: number;
}

export interface Puzzle extends PuzzleListed {
  start: string;
  goal: string;
  state: State;
  next: string | null;
}

export interface MoveValue {
  move: string;
  value: number;
  proven: boolean;
  words: string;
  unit?: Unit;
  depth?: number;
}

export interface Verdict {
  verdict: "right" | "solved" | "wrong" | "shown";
  words: string;
  moves: string[];
  reply: string[];
  solution: string[] | null;
  values: MoveValue[] | null;
  states: State[];
}

export type Unit = "seeds" | "cells" | "result" | "points" | "winshare";

export interface Info {
  type: "info";
  id: number;
  depth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  value: number;
  proven: boolean;
  unit: Unit;
  words: string;
  bar: number;
  best: string | null;
  pv: string[];
  pv_words: string;
  /** How far a proof is, in words. */
  outlook: string | null;
  moves: MoveValue[];
}

export interface MoveAnswer {
  type: "move";
  id: number;
  move: string;
  value: number | null;
  proven: boolean;
  unit: Unit;
  time_ms: number;
  state: State;
}

export interface Hint {
  type: "hint";
  id: number;
  move: string;
  value: number;
  proven: boolean;
  unit: Unit;
  words: string;
  pv: string[];
}

export type Judgement = "best" | "inaccuracy" | "mistake" | "blunder";

export interface Reviewed {
  type: "reviewed";
  id: number;
  ply: number;
  player: Player;
  move: string;
  judgement: Judgement;
  loss: number;
  best: string;
  value: number;
  value_played: number;
  proven: boolean;
  unit: Unit;
  bar: number;
  words: string;
}

export interface ReviewSummary {
  type: "review";
  id: number;
  plies: number;
  players: (Record<Judgement, number> & { player: Player; loss: number; accuracy: number })[];
  turning_points: { ply: number; words: string }[];
  bars: number[];
}

export interface Done {
  type: "done";
  id: number;
  reason: "finished" | "stopped" | "replaced" | "limit";
}

export interface ErrorBody {
  code: string;
  message: string;
  field: string | null;
}

export type Frame = Info | MoveAnswer | Hint | Reviewed | ReviewSummary | Done | ({ type: "error"; id: number | null } & ErrorBody);

export interface ArenaPlayer {
  name: string;
  elo: number | null;
  error: number | null;
  wins: number;
  draws: number;
  losses: number;
  millis: number | null;
}

export interface ArenaGame {
  game: string;
  games: number;
  forfeits: number;
  players: ArenaPlayer[];
  meetings: { a: number; b: number; wins: number; draws: number; losses: number }[];
  plots: { name: string; title: string; url: string }[];
}

export interface ArenaMatch {
  id: string;
  game: string;
  a: string;
  b: string;
  agents: string[];
  openings: string;
  seed: string;
  limits: string;
  created: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  elo: number | null;
  elo_error: number | null;
  los: number | null;
}

export interface Arena {
  games: ArenaGame[];
  matches: ArenaMatch[];
  stamp: string;
}

export interface ArenaGames {
  id: string;
  total: number;
  games: { number: number; first: string; second: string; result: string; margin: number; ending: string; plies: number; opening: number; line: Line }[];
}

export interface LiveGame {
  number: number;
  first: string;
  second: string;
  result: string | null;
  line: Line;
}

/** What a value on a move looks like. */
export interface Chip {
  text: string;
  tone: "good" | "bad" | "even";
  proven: boolean;
  best: boolean;
}

/** What every board can do; `board/board.js` makes one. */
export interface BoardView {
  readonly element: HTMLElement;
  /** Shows a state at once. */
  show(state: State): void;
  /** Shows how the state came to be, then shows it; ends early if something else is shown. */
  play(state: State): Promise<void>;
  /** Whether legal moves may be chosen here. */
  allow(on: boolean): void;
  /** Values by move, or nothing. */
  values(chips: Map<string, Chip> | null): void;
  /** Points at a move. */
  point(move: string | null): void;
  flip(on: boolean): void;
  focus(): void;
  /** A key the board understands, such as a digit; true if it did. */
  key(key: string): boolean;
  close(): void;
}

export interface BoardHandlers {
  /** A legal move was chosen. */
  move(move: string): void;
  /** Something for screen readers. */
  say(words: string): void;
  /** Editing: a pit (house) or cell was clicked; `down` with the other button or Shift. */
  edit?(place: number, down: boolean): void;
  /** Whether values of moves will be shown. */
  values?: boolean;
}
