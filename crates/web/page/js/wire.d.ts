// Made by `node wire-types.js --write` in browser-tests from the description of the interface. Not to be changed by hand.

/** A store of matches. */
export type ArenaAnswer = {
  games: ArenaGame[];
  /** The newest first. */
  matches: ArenaMatch[];
  /** Changes when a game is added. */
  stamp: string;
};

/** All that was played of one game. */
export type ArenaGame = {
  forfeits: number;
  game: string;
  games: number;
  meetings: ArenaMeeting[];
  /** The strongest first. */
  players: ArenaPlayer[];
  plots: ArenaPlot[];
};

/** A match. Results are those of `a`. */
export type ArenaMatch = {
  /** The name of the first agent. */
  a: string;
  /** The specs of both agents. */
  agents: string[];
  b: string;
  /** When it began, in seconds since 1970. */
  created: number;
  draws: number;
  elo: number | null;
  elo_error: number | null;
  game: string;
  games: number;
  id: string;
  limits: string;
  /** How likely it is that `a` is the stronger one. */
  los: number;
  losses: number;
  openings: string;
  seed: string;
  wins: number;
};

/** What one player scored against another; `a` and `b` are places in the list of players. */
export type ArenaMeeting = {
  a: number;
  b: number;
  draws: number;
  losses: number;
  wins: number;
};

/** A player of a game. */
export type ArenaPlayer = {
  draws: number;
  elo: number;
  /** Half the width of the 95% interval; null if it is infinite, as for a player without games. */
  error: number | null;
  losses: number;
  /** The mean time for a move. */
  millis: number | null;
  name: string;
  wins: number;
};

/** A picture. */
export type ArenaPlot = {
  /** What it shows: `ratings`, `strength`, `margins`, `lengths` or `openings`. */
  kind: string;
  name: string;
  url: string;
};

/** A game of a match. */
export type ArenaRecord = {
  ending: string;
  first: string;
  line: WireLine;
  /** The first player's; null if the game was forfeited. */
  margin: number | null;
  /** From 1. */
  number: number;
  /** How many of them belong to the opening, which no player chose. */
  opening: number;
  plies: number;
  /** `1-0`, `0-1` or `1/2-1/2`. */
  result: string;
  second: string;
};

/** What a client asks for. */
export type Ask = {
  /** `move` only: one of the opponents of `/api/v1/meta`. */
  agent?: string | null;
  /** Chosen by the client; every answer carries it. */
  id: number;
  limit?: null | AskLimit;
  line?: null | WireLine;
  /** `review` only: how many moves belong to the opening, which no player chose and which are not judged. */
  opening?: number;
  /** `watch` only: the room's name. */
  room?: string | null;
  /** `watch` only: the secret of a seat, for a client that has one. */
  seat?: string | null;
  /** `stop` only: what to stop; everything, if it is missing. */
  target?: number | null;
  /** What is wanted. */
  type: AskKind;
};

/** What is wanted. */
export type AskKind = "analyze" | "move" | "hint" | "review" | "watch" | "stop";

/** How much thinking is wanted. */
export type AskLimit = {
  /** In plies. */
  depth?: number | null;
  /** For `review`: for each move. */
  time_ms?: number | null;
};

/** A mark on the axis of bars. */
export type AxisMark = {
  /** Its bar. */
  bar: number;
  /** An estimated lead, in seeds, cells or points. */
  lead: number;
};

/** What is on the board. */
export type Board = {
  kind: "kalah";
  /** The pits of player 0 and of player 1, each in its owner's sowing order. */
  pits: [number[], number[]];
  /** The stores of player 0 and of player 1. */
  stores: [number, number];
} | ({
  /** A character for each cell, first row first. */
  cells: string;
  /** The number of columns. */
  cols: number;
  kind: "isolation";
  /** The cells of the two pieces; null before they are placed. */
  pieces: [(string | null), (string | null)];
  /** The number of rows. */
  rows: number;
  /** The rule's name. */
  rule: string;
  /** How many cells each player has visited. */
  visited: [number, number];
});

/** Which of the two boards. */
export type BoardKind = "kalah" | "isolation";

/** What a client may ask for. */
export type Caps = {
  /** The longest analysis of one position. */
  analysis_ms: number;
  /** Bytes of a request. */
  body_bytes: number;
  /** Connections of one address. */
  connections_per_address: number;
  /** Bytes of a frame. */
  frame_bytes: number;
  /** Moves of a line. */
  moves: number;
  /** Requests of one address. */
  requests_per_second: number;
  /** The longest that a review thinks about one move. */
  review_ms_per_move: number;
};

/** The time control of a game. */
export type ClockSetting = {
  /** Seconds that are added with every move. */
  increment: number;
  /** Minutes for the whole game. */
  minutes: number;
};

/** The clocks of a game. */
export type ClockView = {
  /** Milliseconds that are left to player 0 and player 1. */
  left_ms: [number, number];
  running: null | Who;
  /** The time control. */
  setting: ClockSetting;
};

/** What can be done in a room besides moving. */
export type DeedKind = "resign" | "takeback" | "rematch" | "accept" | "decline";

/** The end of a request. */
export type Done = {
  /** The id of the request. */
  id: number;
  /** Why it is over. */
  reason: Reason;
};

/** What is on the board. */
export type EditedBoard = {
  kind: "kalah";
  /** Each player's in its own sowing order. */
  pits: [number[], number[]];
  /** Both stores. */
  stores: [number, number];
} | {
  /** A character for each cell, first row first. */
  cells: string;
  kind: "isolation";
};

/** Why a game of a room ended. */
export type EndKind = "rules" | "resigned" | "time";

/** A score as a client gets it, for the player to move. This is the only place where scores become numbers. */
export type Figure = {
  /** Whether it is exact. */
  proven: boolean;
  /** Its unit. */
  unit: Unit;
  /** How much, without needless digits: `3`, `3.5`. */
  value: number;
};

/** One of the two games. */
export type GameKind = {
  /** The game to begin with. */
  default: string;
  /** `kalah` or `isolation`. */
  kind: BoardKind;
  /** Its sizes. */
  limits: SizeLimits;
  /** Whether `+majority` can be added to a rule. */
  majority: boolean;
  /** Games worth offering by name. */
  presets: string[];
  /** Its rules. */
  rules: Rule[];
};

/** How a game ended. */
export type GameResult = {
  /** Whether the margin is a number of seeds or cells; otherwise the loser had nowhere to go. */
  counted: boolean;
  /** Player 0's margin. */
  margin: number;
  winner: null | Who;
};

/** Games of a match. */
export type GamesAnswer = {
  games: ArenaRecord[];
  id: string;
  total: number;
};

/** A good move. */
export type Hint = Figure & {
  /** The id of the request. */
  id: number;
  /** The move. */
  move: string;
  /** The line of best play. */
  pv: string[];
  /** What it does. */
  steps: Step[];
};

/** What an analysis knows so far. Values are for the player to move. */
export type Info = Figure & ({
  /** Player 0's prospects, from -1 to 1. */
  bar: number;
  /** The best move. */
  best: string | null;
  /** The last depth that was finished. */
  depth: number;
  /** The id of the request. */
  id: number;
  /** Every legal move, or the best of very many. */
  moves: MoveInfo[];
  /** Nodes so far. */
  nodes: number;
  /** Nodes per second, not counting the time that the search waited for its turn. */
  nps: number;
  outlook: null | Outlook;
  /** The line of best play. */
  pv: string[];
  /** The player of each move of `pv`. */
  pv_players: Who[];
  /** The time since it was asked. */
  time_ms: number;
});

/** An invitation. */
export type InvitationAnswer = {
  /** The same as a QR code: its rows from the top, `1` is dark. Four light modules have to be around it. */
  code: string[];
  /** Anyone with this link can use the server. */
  link: string;
};

/** How good a move was. */
export type Judged = "best" | "inaccuracy" | "mistake" | "blunder";

/** The move that led to a position. */
export type LastMove = {
  /** Whether the same player moves again. */
  again: boolean;
  /** How many seeds it captured. */
  captured: number;
  /** The move's text. */
  move: string;
  /** Who made it. */
  player: Who;
  /** What happened, in order. */
  steps: Step[];
};

/** A legal move. */
export type Legal = {
  /** How many seeds it captures. */
  captures: number;
  /** Whether the same player moves again. */
  extra_turn: boolean;
  /** The move's text; null in `classic`, where a removed cell has to be added. */
  move: string | null;
  /** Kalah: the own pit. */
  pit: number | null;
  /** Isolation: the cell to go to. */
  to: string | null;
};

/** A line with all its positions. */
export type LineAnswer = {
  /** If asked for: the last position's legal moves, each as the move that led to a position. In `classic` there are too many. */
  ahead: State[] | null;
  /** The game's full name. */
  game: string;
  /** The moves. */
  moves: string[];
  /** How many moves belong to the opening, which no player chose, if a record says so. */
  opening: number;
  /** Who played, where a record says so. */
  players: [string, string] | null;
  /** The record of a finished game. */
  record: string | null;
  /** null for the game's own start. */
  start: string | null;
  /** One for every ply, the start included. */
  states: State[];
  /** The line in a form that can be pasted. */
  text: string;
};

/** A line, or something pasted. */
export type LineRequest = {
  /** Whether the positions after every legal move of the last one are wanted, too. */
  ahead?: boolean;
  /** The game; with `text` only a guess. */
  game?: string | null;
  /** As in a line. */
  moves?: string[] | null;
  /** As in a line. */
  start?: string | null;
  /** A pasted position, list of moves or record. */
  text?: string | null;
};

/** Games in progress, then those that ended, the last one first. */
export type LiveAnswer = {
  games: LiveEntry[];
};

/** A game. */
export type LiveEntry = {
  /** Who moves first. */
  first: string;
  line: WireLine;
  /** Later games have larger numbers. */
  number: number;
  /** `1-0`, `0-1` or `1/2-1/2`; null before the end of the game. */
  result: string | null;
  second: string;
};

/** What can be asked for. */
export type Meta = {
  /** The version of this interface. */
  api: number;
  /** Whether there is a store of matches to look at. */
  arena: boolean;
  /** Where estimated leads are drawn on a bar. */
  axis: AxisMark[];
  /** What a client may ask for. */
  caps: Caps;
  /** What can be played. */
  games: GameKind[];
  /** Whether there are games to watch as they are played. */
  live: boolean;
  /** Who can be played against, the weakest first. */
  opponents: Opponent[];
  /** Whether the reader runs this server; others are invited. */
  owner: boolean;
  /** Whether two people can play here from two devices. */
  rooms: boolean;
  /** The version of the program, with its commit if that is known. */
  version: string;
};

/** What is known of a move. */
export type MoveInfo = Figure & {
  /** It has been searched to at least this depth. */
  depth: number;
  /** The move. */
  move: string;
};

/** A move and what it is worth to the player who makes it. */
export type MoveWorth = Figure & {
  /** The move. */
  move: string;
};

/** A room to open. */
export type NewRoom = {
  clock?: null | ClockSetting;
  /** The game's name. */
  game: string;
  /** The name of the person who opens the room. */
  name?: string;
  /** The seat of the person who opens the room. */
  side?: Side;
};

/** Something unusual about a position. */
export type Note = {
  /** The number of its seeds. */
  seeds: number;
  t: "seeds";
  /** The number that the game begins with. */
  usual: number;
} | {
  t: "over";
};

/** Something that the other player may accept. */
export type Offer = {
  /** Who offers it. */
  by: Who;
  /** What is offered. */
  kind: OfferKind;
};

/** What can be offered. */
export type OfferKind = "takeback" | "rematch";

/** An opponent. Which fields are set depends on its kind. */
export type Opponent = {
  /** What a client names. */
  agent: string;
  /** What it is. */
  kind: OpponentKind;
  /** Of a level: how many moves it looks ahead. */
  level: number | null;
  /** The longest that it thinks about a move; null if only the program itself knows. */
  time_ms: number | null;
};

/** What an opponent is. */
export type OpponentKind = "level" | "engine" | "mcts" | "perfect" | "own";

/** How far the proof of a position has come. Bounds are for the player to move. */
export type Outlook = {
  /** The final margin is at least this. */
  lower: number;
  /** The legal moves that the proof tells apart, or 0. */
  moves: number;
  /** How many of `moves` are proven. */
  proven: number;
  /** How long the rest is likely to take, at least and at most; null if that is not known. */
  seconds: number[] | null;
  table: null | TableUnderWay;
  /** The final margin is at most this. */
  upper: number;
};

/** How a player did. */
export type PlayerReview = {
  /** The average over the moves where there was a choice, 0 to 1: a move that gives nothing away counts 1, and every 4 seeds given away halve that, or every quarter of the result where seeds are not counted. */
  accuracy: number;
  /** The number of best moves. */
  best: number;
  /** The number of blunders. */
  blunder: number;
  /** The number of inaccuracies. */
  inaccuracy: number;
  /** All that was given away. */
  loss: number;
  /** The number of mistakes. */
  mistake: number;
  /** The player. */
  player: Who;
};

/** What is wrong with a request. */
export type Problem = {
  /** Where a text goes wrong, counted in characters from 1. */
  at: number | null;
  /** A short name that programs can look at. */
  code: string;
  /** Which part of the request is wrong, such as `moves[3]`. */
  field: string | null;
  /** What is wrong and what would be right, in English, for clients other than the page. */
  message: string;
  /** The move, agent or text that is refused. */
  what: string | null;
};

/** A move and its proven value for the solver. */
export type ProvenMove = Figure & {
  /** The move. */
  move: string;
};

/** A puzzle to solve. */
export type PuzzleAnswer = {
  /** Its game. */
  game: string;
  /** The puzzle's name. */
  id: string;
  /** From 1, easy, to 5. */
  level: number;
  /** How many of the solver's own moves have to be found. */
  moves: number;
  /** The puzzle after this one. */
  next: string | null;
  /** The position's text. */
  start: string;
  /** The position. The player to move wins, with one move only. */
  state: State;
};

/** A puzzle in the list. */
export type PuzzleEntry = {
  /** Its game. */
  game: string;
  /** The puzzle's name. */
  id: string;
  /** From 1, easy, to 5. */
  level: number;
  /** How many of the solver's own moves have to be found. */
  moves: number;
};

/** All puzzles. */
export type PuzzleList = {
  /** From easy to hard. */
  puzzles: PuzzleEntry[];
};

/** Why a request is done. */
export type Reason = "finished" | "stopped" | "replaced" | "limit";

/** The body of every refusal. */
export type Refusal = {
  error: Problem;
};

/** A request that is refused. */
export type Refused = Problem & ({
  /** The id of the request; null if the frame had none that could be read. */
  id: number | null;
});

/** An opponent's move. */
export type Reply = {
  /** The depth that it searched to. */
  depth: number;
  /** The id of the request. */
  id: number;
  /** The move. */
  move: string;
  /** The nodes that it searched. */
  nodes: number;
  /** Whether `value` is exact. */
  proven: boolean;
  /** The position after the move. */
  state: State;
  /** The time since it was asked. */
  time_ms: number;
  /** The unit of `value`. */
  unit: Unit;
  /** What the opponent thinks it is worth, for the opponent; null if it does not say. */
  value: number | null;
};

/** A move that has been judged. Values are for the player who made it. */
export type Reviewed = {
  /** Player 0's prospects before the move. */
  bar: number;
  /** The best move; the played one, if none is better. */
  best: MoveWorth;
  /** The id of the request. */
  id: number;
  /** How good it was. */
  judgement: Judged;
  /** What was given away, never negative. */
  loss: Figure;
  /** The move. */
  played: MoveWorth;
  /** Who made it. */
  player: Who;
  /** The move's place in the line, from 0. */
  ply: number;
};

/** A whole game that has been judged. */
export type Reviewing = {
  /** Player 0's prospects in every position. */
  bars: number[];
  /** The id of the request. */
  id: number;
  /** How player 0 and player 1 did. */
  players: PlayerReview[];
  /** The number of moves. */
  plies: number;
  /** The moves where the game turned, as places in the line. */
  turning_points: number[];
};

/** Something else that is done in a room. */
export type RoomDeed = {
  /** What is done. */
  deed: DeedKind;
  /** The game of the room that is meant. */
  round: number;
  /** The seat's secret. */
  seat: string;
};

/** How a game of a room ended. */
export type RoomEnd = {
  /** Why. */
  kind: EndKind;
  winner: null | Who;
};

/** A move in a room. */
export type RoomMove = {
  /** The move. */
  move: string;
  /** How many moves there were before this one. */
  ply: number;
  /** The game of the room that is meant. */
  round: number;
  /** The seat's secret. */
  seat: string;
};

/** A room, as it is now. */
export type RoomNews = RoomView & {
  /** The id of the request. */
  id: number;
};

/** A room and the game that is played in it. */
export type RoomView = {
  clock: null | ClockView;
  end: null | RoomEnd;
  /** The game so far. */
  line: WireLine;
  offer: null | Offer;
  /** The room's name, which is in its link. */
  room: string;
  /** Which game of the room it is, from 1. */
  round: number;
  /** Who plays first and who second. */
  seats: [SeatView, SeatView];
  /** The last position. */
  state: State;
  /** Rises with every change. */
  version: number;
  /** How many people watch. */
  watching: number;
  you: null | Who;
};

/** A rule of a game. */
export type Rule = {
  /** Columns of the usual board. */
  cols: number | null;
  /** As in a game's name. */
  name: string;
  /** Rows of the usual board. */
  rows: number | null;
};

/** What a client receives. */
export type Say = (Info & {
  type: "info";
}) | (Reply & {
  type: "move";
}) | (Hint & {
  type: "hint";
}) | (Reviewed & {
  type: "reviewed";
}) | (Reviewing & {
  type: "review";
}) | (RoomNews & {
  type: "room";
}) | (Done & {
  type: "done";
}) | (Refused & {
  type: "error";
});

/** A seat of a room. */
export type SeatView = {
  /** Whether the player is connected now. */
  here: boolean;
  /** The name of its player; may be empty. */
  name: string;
  /** Whether it is taken. */
  taken: boolean;
  /** How many games of this room the player has won. */
  won: number;
};

/** A seat in a room. */
export type Seated = {
  /** The seat's secret: a client that has it can play. */
  seat: string;
  /** The room. */
  view: RoomView;
};

/** The position of an edited board. */
export type SetupAnswer = {
  /** The game's full name. */
  game: string;
  /** What is unusual about it. */
  notes: Note[];
  /** The position's text: the start of a line. */
  start: string;
  /** The position. */
  state: State;
};

/** A board from the board editor. */
export type SetupRequest = {
  /** What is on the board. */
  board: EditedBoard;
  /** The game's name. */
  game: string;
  /** 0 or 1. */
  to_move: number;
};

/** Which seat a player takes. */
export type Side = "first" | "second" | "either";

/** The smallest and largest sizes. */
export type SizeLimits = {
  /** Isolation. */
  cols: [number, number] | null;
  /** Kalah: pits per side. */
  pits: [number, number] | null;
  /** Isolation. */
  rows: [number, number] | null;
  /** Kalah: seeds per pit. */
  seeds: [number, number] | null;
};

/** A position of a line. */
export type State = {
  /** What is on the board. */
  board: Board;
  last: null | LastMove;
  /** The legal moves; none when the game is over. */
  legal: Legal[];
  /** Whether the game is over. */
  over: boolean;
  /** How many moves of the line led here. */
  ply: number;
  /** The position's text. */
  position: string;
  /** In `classic` only: the cells that may be removed after a step. */
  removable: string[] | null;
  result: null | GameResult;
  /** Who is to move. */
  to_move: Who;
};

/** One thing that happened in a move. */
export type Step = {
  /** The own pit. */
  pit: number;
  /** The mover. */
  player: Who;
  /** How many seeds it held. */
  seeds: number;
  t: "lift";
} | ({
  /** What the house holds after that. */
  now: number;
  /** null is the store. */
  pit: number | null;
  /** Whose house it is. */
  player: Who;
  t: "sow";
}) | {
  /** The own pit first, then the opposite one. */
  from: Taken[];
  /** The mover. */
  player: Who;
  /** All of them. */
  seeds: number;
  t: "capture";
} | {
  /** The pits that held seeds. */
  from: Taken[];
  /** Who banks. */
  player: Who;
  /** All of them. */
  seeds: number;
  t: "sweep";
} | {
  /** The mover. */
  player: Who;
  t: "again";
} | ({
  /** null if the piece is placed. */
  from: string | null;
  /** The mover. */
  player: Who;
  t: "step";
  /** Where it stands after that. */
  to: string;
}) | {
  /** The cell. */
  cell: string;
  t: "block";
} | {
  /** The cell. */
  cell: string;
  t: "remove";
} | {
  /** The mover. */
  player: Who;
  t: "pass";
};

/** How much of a tablebase has been built. */
export type TableUnderWay = {
  /** How much of it is done. */
  percent: number;
  /** The seeds that it covers. */
  seeds: number;
};

/** A person who wants to play. */
export type TakeSeat = {
  /** The name of the person. */
  name?: string;
};

/** Seeds taken from a pit. */
export type Taken = {
  /** The pit. */
  pit: number;
  /** Whose pit it is. */
  player: Who;
  /** How many. */
  seeds: number;
};

/** How a try went. */
export type Tried = "right" | "solved" | "wrong" | "shown";

/** What became of a try. */
export type TryAnswer = {
  /** What was played, the opponent's reply included. */
  moves: string[];
  /** The opponent's proven reply; after a wrong move, its refutation. */
  reply: string[];
  /** Only if it was asked for. */
  solution: string[] | null;
  /** The positions of `moves`, the start included. */
  states: State[];
  /** The move that was tried, or the first of the solution. */
  tried: ProvenMove;
  /** What is proven of the moves; of the tried one only, until the puzzle is solved. */
  values: ProvenMove[];
  /** How it went. */
  verdict: Tried;
};

/** Moves that a solver tries. */
export type TryRequest = {
  /** Everything played from the puzzle's start, the server's replies included; the last one is the try. */
  moves: string[];
};

/** The unit of a number. */
export type Unit = "seeds" | "cells" | "result" | "points" | "winshare";

/** A player: 0 moves first, 1 second */
export type Who = 0 | 1;

/** A game, where it begins, and its moves. */
export type WireLine = {
  /** The game's name. */
  game: string;
  /** The moves from there. */
  moves: string[];
  /** The position before the first move; null for the game's own start. */
  start: string | null;
};

/** Questions with one answer: the request, including what the address carries, and the answer. */
export interface Questions {
  /** Standings, meetings, matches and plots of the store. */
  arena: { request: {}; answer: ArenaAnswer };
  /** Games of a match. */
  arenaGames: { request: { id: string; from?: number; count?: number }; answer: GamesAnswer };
  /** The link of the invitation, as text and as a QR code. */
  invitation: { request: { room?: string }; answer: InvitationAnswer };
  /** Play a line through, or read a pasted text. */
  line: { request: LineRequest; answer: LineAnswer };
  /** The games in progress, and the last ones that ended. */
  live: { request: {}; answer: LiveAnswer };
  /** What the server can do: games, opponents, caps. */
  meta: { request: {}; answer: Meta };
  /** All puzzles, from easy to hard. */
  puzzles: { request: {}; answer: PuzzleList };
  /** One puzzle. */
  puzzle: { request: { id: string }; answer: PuzzleAnswer };
  /** Try to solve a puzzle. */
  tryPuzzle: { request: { id: string; solution?: boolean } & TryRequest; answer: TryAnswer };
  /** Open a room and sit down in it. */
  openRoom: { request: NewRoom; answer: Seated };
  /** A room as it is now. */
  room: { request: { id: string }; answer: RoomView };
  /** Resign, offer, accept or decline. */
  roomDeed: { request: { id: string } & RoomDeed; answer: RoomView };
  /** Play a move. */
  roomMove: { request: { id: string } & RoomMove; answer: RoomView };
  /** Take the free seat of a room. */
  takeSeat: { request: { id: string } & TakeSeat; answer: Seated };
  /** Make a position from an edited board, or say what is wrong with it. */
  setup: { request: SetupRequest; answer: SetupAnswer };
}
