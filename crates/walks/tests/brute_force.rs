//! Endgames checked against trying every walk, and against a plain negamax of the rest of the game.

use kalahari_games::isolation::{
    Bits, CellState, Isolation, IsolationPosition, IsolationRule, IsolationSetup, IsolationSpec,
    Wide256,
};
use kalahari_games::{Game, Player};
use kalahari_oracle::{LonelyWalk, Negamax, is_small};
use kalahari_terms::{Budget, Limits, Stop};
use kalahari_walks::{Endgame, Span, Walks};

/// A small generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        // Xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % limit
    }
}

const RULES: [IsolationRule; 3] = [
    IsolationRule::Trail,
    IsolationRule::Queen,
    IsolationRule::Knight,
];

/// Two boards of up to 5x5 side by side, with a wall between them that no piece can jump, some cells blocked,
/// a piece on each and at most `most` free cells on either side.
fn random_board(most: usize, numbers: &mut Numbers) -> IsolationSetup {
    let rows = 1 + numbers.below(5);
    let (left, right) = (1 + numbers.below(5), 1 + numbers.below(5));
    let mut board = vec![vec![CellState::Blocked; left + 2 + right]; rows];
    for (player, cols) in [
        (Player::First, 0..left),
        (Player::Second, left + 2..left + 2 + right),
    ] {
        let mut cells: Vec<(usize, usize)> = (0..rows)
            .flat_map(|row| cols.clone().map(move |col| (row, col)))
            .collect();
        let (row, col) = cells.swap_remove(numbers.below(cells.len()));
        board[row][col] = CellState::Piece(player);
        let free = numbers.below(cells.len().min(most) + 1);
        for _ in 0..free {
            let (row, col) = cells.swap_remove(numbers.below(cells.len()));
            board[row][col] = CellState::Free;
        }
    }
    // Sometimes with the two boards one above the other.
    if numbers.below(2) == 1 {
        let turned = (0..left + 2 + right).map(|col| board.iter().map(|row| row[col]).collect());
        board = turned.collect();
    }
    IsolationSetup {
        rows: board,
        player: Player::BOTH[numbers.below(2)],
    }
}

fn spec_of(setup: &IsolationSetup, rule: IsolationRule) -> IsolationSpec {
    IsolationSpec::new(setup.rows.len(), setup.rows[0].len(), rule).expect("a size")
}

fn lonely<B: Bits>(
    game: &Isolation<B>,
    position: &IsolationPosition<B>,
    player: Player,
) -> LonelyWalk {
    let spec = game.isolation_spec();
    let free = position.free();
    LonelyWalk {
        spec,
        free: (0..spec.cells()).map(|cell| free.has(cell)).collect(),
        at: position.piece(player).expect("placed"),
    }
}

/// The value of a separated position by trying every walk.
fn slow_value<B: Bits>(game: &Isolation<B>, position: &IsolationPosition<B>) -> i32 {
    let longest = |player| lonely(game, position, player).longest() as i32;
    let ahead = longest(position.player()) - longest(!position.player());
    match game.isolation_spec().rule() {
        IsolationRule::Trail => position.lead() + ahead,
        _ if ahead > 0 => 1,
        _ => -1,
    }
}

/// Compares one board; returns whether its pieces were separated.
fn compare<B: Bits>(game: &Isolation<B>, position: &IsolationPosition<B>) -> bool {
    let context = || format!("{} {}", game.spec(), game.position_text(position));
    let mut endgame = Endgame::new(game).expect("not classic");
    let regions = Player::BOTH.map(|player| lonely(game, position, player).region());
    let shared = (0..regions[0].len()).any(|cell| regions[0][cell] && regions[1][cell]);
    let Some(sides) = endgame.sides(position) else {
        assert!(shared, "{}", context());
        return false;
    };
    assert!(!shared, "{}", context());
    let expected = slow_value(game, position);
    let mut walks = Walks::new(game);
    for player in Player::BOTH {
        let length = lonely(game, position, player).longest();
        let at = position.piece(player).expect("placed");
        let region = walks.region(at, position.free());
        assert!(walks.bound(at, region) >= length, "{}", context());
        assert!(walks.glance(at, region) >= length, "{}", context());
        let Span { lower, upper } = walks.quick(at, region);
        assert!((lower..=upper).contains(&length), "{}", context());
        let longest = walks.longest(at, position.free(), &mut Stop::new());
        assert_eq!(
            (longest.lower, longest.upper),
            (length, length),
            "{}",
            context()
        );
    }
    // Giving up after any number of positions leaves bounds that hold.
    for patience in [0, 1, 3, 10] {
        let limits = Limits {
            nodes: Some(patience),
            ..Limits::NONE
        };
        let mut left = Budget::new(&limits, &Stop::new());
        let mut hurried = Endgame::new(game).expect("not classic");
        let (lower, upper) = hurried.bounds(position, &sides, |_, _| false, &mut left);
        assert!((lower..=upper).contains(&expected), "{}", context());
    }
    // Null windows on both sides of the value, then the whole range.
    for beta in [expected, expected + 1] {
        let settled = |lower, upper| lower >= beta || upper < beta;
        let (lower, upper) = endgame.bounds(position, &sides, settled, &mut Stop::new());
        assert!((lower..=upper).contains(&expected), "{}", context());
        assert!(lower >= beta || upper < beta, "{}", context());
    }
    let all = endgame.bounds(position, &sides, |_, _| false, &mut Stop::new());
    assert_eq!(all, (expected, expected), "{}", context());
    true
}

#[test]
fn endgames_equal_brute_force_on_split_boards() {
    compare_boards(|board| if board % 10 == 0 { 25 } else { 16 });
}

#[test]
#[ignore = "a minute: long walks are slow to try"]
fn endgames_equal_brute_force_on_full_split_boards() {
    compare_boards(|_| 25);
}

/// Compares 10,000 boards of each rule, with at most `most(n)` free cells on either side of the n-th.
fn compare_boards(most: impl Fn(u32) -> usize) {
    for rule in RULES {
        let mut numbers = Numbers(0x1234_5678_9abc_def1 + rule as u64);
        for board in 0..10_000 {
            let setup = random_board(most(board), &mut numbers);
            let spec = spec_of(&setup, rule);
            let split = match Isolation::<u64>::new(spec) {
                Some(game) => compare(&game, &game.position(&setup).expect("a board")),
                None => {
                    let game = Isolation::<u128>::new(spec).expect("fits");
                    compare(&game, &game.position(&setup).expect("a board"))
                }
            };
            assert!(split, "a wall separates");
            if board % 500 == 0 {
                let wide = Isolation::<Wide256>::largest(spec);
                compare(&wide, &wide.position(&setup).expect("a board"));
            }
        }
    }
}

/// Plays random games and compares every separated position with a plain negamax of the rest of the game.
#[test]
fn separated_positions_are_worth_what_negamax_says() {
    for rule in RULES {
        let mut numbers = Numbers(77 + rule as u64);
        let mut compared = 0;
        for round in 0..400 {
            let (rows, cols) = [(4, 4), (5, 5), (3, 6), (6, 6), (7, 7)][round % 5];
            let spec = IsolationSpec::new(rows, cols, rule).expect("a size");
            let game = Isolation::<u64>::new(spec).expect("fits");
            let mut endgame = Endgame::new(&game).expect("not classic");
            let mut position = game.start();
            loop {
                let count = game.count_moves(&position) as usize;
                if count == 0 {
                    break;
                }
                if let Some(sides) = endgame.sides(&position)
                    && is_small(&game, &position, 20_000)
                {
                    let truth = Negamax {
                        game: &game,
                        eval: &|_, _| unreachable!("negamax runs to the end"),
                        finished: &|margin| margin,
                        extra: 1,
                    };
                    let expected = truth.value(&position, i32::MAX, false);
                    let found = endgame.bounds(&position, &sides, |_, _| false, &mut Stop::new());
                    let text = game.position_text(&position);
                    assert_eq!(found, (expected, expected), "{spec} {text}");
                    compared += 1;
                }
                let mv = game
                    .moves(&position)
                    .nth(numbers.below(count))
                    .expect("a move");
                position = game.play_unchecked(&position, mv);
            }
        }
        assert!(compared > 200, "{rule}: {compared}");
    }
}
