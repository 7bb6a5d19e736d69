// Types of the page itself, for the type checker only: no browser loads this file. What travels is in wire.d.ts, which is
// made from the description of the interface.

import type { Ask, Board, LineAnswer, Meta, Problem, Questions, Reason, Say, State, Step, Who, WireLine } from "./wire.js";

export type * from "./wire.js";

export type Player = Who;
/** A line, and how many of its moves belong to the opening, which no player chose. */
export type Line = WireLine & { opening?: number };
export type KalahBoardData = Extract<Board, { kind: "kalah" }>;
export type IsolationBoardData = Extract<Board, { kind: "isolation" }>;

/** What the page may be given with its first file. */
export interface Given {
  meta: Meta;
  first: LineAnswer | null;
  /** Only where there is no server. */
  site?: Site | null;
}

/** The files of a page without a server, by their addresses. */
export interface Site {
  module: string;
  worker: string;
  /** By the names that the module knows them by. */
  nets: Record<string, string>;
}

/** What a worker begins with. */
export interface Start {
  module: WebAssembly.Module;
  nets: Record<string, string>;
  /** MiB of a search's table. */
  mib: number;
}

/** What a worker receives. */
export type ToWorker =
  | { start: Start }
  | { resting: boolean }
  | { turn: number; question: { name: string; request: unknown } }
  | { turn: number; think: Ask };

/** What a worker sends. */
export type FromWorker =
  | { begun: true }
  | { turn: number; answer: any }
  | { turn: number; refused: Problem }
  | { turn: number; heard: true }
  | { say: Say }
  | { broken: string };

/** Something to think about. */
export type Wanted = Omit<Ask, "id" | "target"> & { type: Exclude<Ask["type"], "stop"> };
/** The news of it before it ends. */
export type News = Exclude<Say, { type: "done" | "error" }>;

/** A thought in progress. */
export interface Thinking {
  /** Why it ended; rejects with a `Refusal`. */
  readonly done: Promise<Reason>;
  stop(): void;
}

/** What is behind the page: the server, or anything else that answers in the same shapes. */
export interface Backend {
  /** A question that has one answer; rejects with a `Refusal`. */
  ask<Q extends keyof Questions>(question: Q, request: Questions[Q]["request"]): Promise<Questions[Q]["answer"]>;
  /** Something to think about: `hear` is called as it is thought. At most one move and one other thought are in progress; a new one replaces the old one. */
  think(wanted: Wanted, hear: (news: News) => void): Thinking;
  /** Gets ready before it is needed. */
  warm(): void;
}

/** A refusal as the back end sends it; refusals made by the page itself have fewer fields. */
export type AnyProblem = Partial<Problem> & { code: string };

/** What a value on a move looks like. */
export interface Chip {
  text: string;
  tone: "good" | "bad" | "even";
  proven: boolean;
  best: boolean;
  /** The higher, the better for the player who moves. */
  rank: number;
}

/** An arrow on a board: what a move does, and whether it is the best one or a threat. */
export interface Arrow {
  kind: "best" | "threat";
  steps: Step[];
}

/** What every board can do; `board/board.js` makes one. */
export interface BoardView {
  readonly element: HTMLElement;
  /** Shows a state at once; seeds and pieces may glide to their places. */
  show(state: State): void;
  /** Shows how the state came to be, then shows it; ends early if something else is shown. */
  play(state: State): Promise<void>;
  /** Whether legal moves may be chosen here. */
  allow(on: boolean): void;
  /** Values by move, or nothing. */
  values(chips: Map<string, Chip> | null): void;
  /** Points at a move. */
  point(move: string | null): void;
  /** Draws arrows. */
  arrows(arrows: Arrow[]): void;
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
  /** What a legal move would lead to, if that is known. */
  ahead?(move: string): State | null;
  /** Editing: a pit (house) or cell was clicked; `down` with the other button or Shift. */
  edit?(place: number, down: boolean): void;
  /** Whether values of moves will be shown. */
  values?: boolean;
}
