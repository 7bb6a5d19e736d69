//! QR codes of links: bytes at error correction level M, versions 1 to 10 (ISO/IEC 18004).

/// A square of modules; true is dark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrCode {
    size: usize,
    dark: Vec<bool>,
}

/// A version's capacity: all codewords, codewords of correction in each block, blocks, and the places of alignment patterns.
struct Version {
    codewords: usize,
    correction: usize,
    blocks: usize,
    alignment: &'static [usize],
}

const fn version(
    codewords: usize,
    correction: usize,
    blocks: usize,
    alignment: &'static [usize],
) -> Version {
    Version {
        codewords,
        correction,
        blocks,
        alignment,
    }
}

/// Versions 1 to 10 at level M.
const VERSIONS: [Version; 10] = [
    version(26, 10, 1, &[]),
    version(44, 16, 1, &[6, 18]),
    version(70, 26, 1, &[6, 22]),
    version(100, 18, 2, &[6, 26]),
    version(134, 24, 2, &[6, 30]),
    version(172, 16, 4, &[6, 34]),
    version(196, 18, 4, &[6, 22, 38]),
    version(242, 22, 4, &[6, 24, 42]),
    version(292, 22, 5, &[6, 26, 46]),
    version(346, 26, 5, &[6, 28, 50]),
];

impl Version {
    fn data(&self) -> usize {
        self.codewords - self.correction * self.blocks
    }
}

impl QrCode {
    /// The code of a text; `None` if it is longer than 213 bytes.
    pub fn new(text: &str) -> Option<Self> {
        let fits =
            |number: usize| text.len() + 2 + usize::from(number >= 9) <= VERSIONS[number].data();
        let number = (0..VERSIONS.len()).find(|number| fits(*number))?;
        let words = with_correction(&data_words(text.as_bytes(), number), &VERSIONS[number]);
        let best = (0..8)
            .map(|mask| Drawing::new(number, &words, mask))
            .min_by_key(Drawing::penalty)?;
        Some(QrCode {
            size: best.size,
            dark: best.dark,
        })
    }

    /// Modules per side, without the quiet zone of four that has to be around it.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether a module is dark; those outside are light.
    pub fn is_dark(&self, row: usize, col: usize) -> bool {
        row < self.size && col < self.size && self.dark[row * self.size + col]
    }

    /// The rows, from the top; `1` is dark.
    pub fn rows(&self) -> Vec<String> {
        let row = |row: &[bool]| {
            row.iter()
                .map(|dark| if *dark { '1' } else { '0' })
                .collect()
        };
        self.dark.chunks(self.size).map(row).collect()
    }

    /// The code for a terminal, two rows of modules to a line. It is meant for light letters on a dark ground; on a light one it is
    /// inverted, which most cameras read, too.
    pub fn text(&self) -> String {
        const QUIET: isize = 2;
        let size = self.size as isize;
        let light = |row: isize, col: isize| {
            row < 0 || col < 0 || !self.is_dark(row as usize, col as usize)
        };
        let mut text = String::new();
        for row in (-QUIET..size + QUIET).step_by(2) {
            for col in -QUIET..size + QUIET {
                text.push(match (light(row, col), light(row + 1, col)) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                });
            }
            text.push('\n');
        }
        text
    }
}

/// The data codewords of a text: mode, length, bytes, an end, and padding.
fn data_words(text: &[u8], number: usize) -> Vec<u8> {
    let mut bits = Vec::new();
    let mut push = |value: usize, count: usize| {
        bits.extend((0..count).rev().map(|place| value >> place & 1 == 1));
    };
    push(0b0100, 4);
    push(text.len(), if number >= 9 { 16 } else { 8 });
    text.iter().for_each(|byte| push(usize::from(*byte), 8));
    push(0, 4);
    let byte = |bits: &[bool]| {
        let bits = bits.iter().chain(std::iter::repeat(&false)).take(8);
        bits.fold(0, |all, bit| all << 1 | u8::from(*bit))
    };
    let mut words: Vec<u8> = bits.chunks(8).map(byte).collect();
    let capacity = VERSIONS[number].data();
    words.truncate(capacity);
    let padding = [0xec, 0x11].into_iter().cycle();
    words.extend(padding.take(capacity - words.len()));
    words
}

/// Data in blocks with their corrections, interleaved as they are drawn.
fn with_correction(data: &[u8], version: &Version) -> Vec<u8> {
    let (short, long_blocks) = (data.len() / version.blocks, data.len() % version.blocks);
    let generator = generator(version.correction);
    let mut blocks = Vec::new();
    let mut rest = data;
    for number in 0..version.blocks {
        // The long blocks come last.
        let long = number >= version.blocks - long_blocks;
        let (block, after) = rest.split_at(short + usize::from(long));
        blocks.push((block, remainder(block, &generator)));
        rest = after;
    }
    let mut words = Vec::with_capacity(version.codewords);
    for place in 0..=short {
        words.extend(blocks.iter().filter_map(|(block, _)| block.get(place)));
    }
    for place in 0..version.correction {
        words.extend(blocks.iter().filter_map(|(_, tail)| tail.get(place)));
    }
    words
}

/// A product in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1.
fn times(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |product: u8, place| {
        let carried = if product & 0x80 == 0 { 0 } else { 0x1d };
        (product << 1) ^ carried ^ if b >> place & 1 == 1 { a } else { 0 }
    })
}

/// The product of (x - 2^i) for i below the degree, without its leading 1; the highest power first.
fn generator(degree: usize) -> Vec<u8> {
    let mut polynomial = vec![0; degree];
    polynomial[degree - 1] = 1;
    let mut root = 1;
    for _ in 0..degree {
        for place in 0..degree {
            let next = polynomial.get(place + 1).copied().unwrap_or(0);
            polynomial[place] = times(polynomial[place], root) ^ next;
        }
        root = times(root, 2);
    }
    polynomial
}

fn remainder(data: &[u8], generator: &[u8]) -> Vec<u8> {
    let mut rest = vec![0; generator.len()];
    for byte in data {
        let factor = byte ^ rest[0];
        rest.rotate_left(1);
        if let Some(last) = rest.last_mut() {
            *last = 0;
        }
        for (place, coefficient) in rest.iter_mut().zip(generator) {
            *place ^= times(*coefficient, factor);
        }
    }
    rest
}

/// A code while it is drawn.
struct Drawing {
    size: usize,
    dark: Vec<bool>,
    /// Modules that no data goes to.
    fixed: Vec<bool>,
}

impl Drawing {
    fn new(number: usize, words: &[u8], mask: u32) -> Self {
        let size = 21 + 4 * number;
        let mut drawing = Drawing {
            size,
            dark: vec![false; size * size],
            fixed: vec![false; size * size],
        };
        drawing.draw_patterns(number);
        drawing.draw_format(mask);
        drawing.draw_data(words, mask);
        drawing
    }

    fn fix(&mut self, row: usize, col: usize, dark: bool) {
        let place = row * self.size + col;
        self.dark[place] = dark;
        self.fixed[place] = true;
    }

    fn draw_patterns(&mut self, number: usize) {
        let size = self.size;
        for place in 0..size {
            self.fix(6, place, place % 2 == 0);
            self.fix(place, 6, place % 2 == 0);
        }
        for (row, col) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for (r, c) in square(row, col, 4) {
                if r < size && c < size {
                    let ring = r.abs_diff(row).max(c.abs_diff(col));
                    self.fix(r, c, ring != 2 && ring != 4);
                }
            }
        }
        let places = VERSIONS[number].alignment;
        let last = places.len().saturating_sub(1);
        for (i, &row) in places.iter().enumerate() {
            for (j, &col) in places.iter().enumerate() {
                if [(0, 0), (0, last), (last, 0)].contains(&(i, j)) {
                    continue;
                }
                for (r, c) in square(row, col, 2) {
                    self.fix(r, c, r.abs_diff(row).max(c.abs_diff(col)) != 1);
                }
            }
        }
        if number >= 6 {
            let bits = protected(number as u32 + 1, 12, 0x1f25);
            for place in 0..18 {
                let dark = bits >> place & 1 == 1;
                let (far, near) = (size - 11 + place % 3, place / 3);
                self.fix(far, near, dark);
                self.fix(near, far, dark);
            }
        }
    }

    /// Level M is 0 in the format.
    fn draw_format(&mut self, mask: u32) {
        let bits = protected(mask, 10, 0x537) ^ 0x5412;
        let bit = |place: usize| bits >> place & 1 == 1;
        let size = self.size;
        for place in 0..6 {
            self.fix(place, 8, bit(place));
        }
        self.fix(7, 8, bit(6));
        self.fix(8, 8, bit(7));
        self.fix(8, 7, bit(8));
        for place in 9..15 {
            self.fix(8, 14 - place, bit(place));
        }
        for place in 0..8 {
            self.fix(8, size - 1 - place, bit(place));
        }
        for place in 8..15 {
            self.fix(size - 15 + place, 8, bit(place));
        }
        self.fix(size - 8, 8, true);
    }

    /// Data goes up and down in pairs of columns, from the right.
    fn draw_data(&mut self, words: &[u8], mask: u32) {
        let size = self.size;
        let mut bits = words
            .iter()
            .flat_map(|word| (0..8).rev().map(move |place| word >> place & 1 == 1));
        let mut up = true;
        for pair in (0..size / 2).rev() {
            // The column of the timing pattern is left out.
            let right = if pair >= 3 {
                2 * pair + 2
            } else {
                2 * pair + 1
            };
            for step in 0..size {
                let row = if up { size - 1 - step } else { step };
                for col in [right, right - 1] {
                    let place = row * size + col;
                    if !self.fixed[place] {
                        let dark = bits.next().unwrap_or(false);
                        self.dark[place] = dark ^ masks(mask, row, col);
                    }
                }
            }
            up = !up;
        }
    }

    /// How hard the code is to read: runs, blocks, patterns like those of the corners, and too much of one colour.
    fn penalty(&self) -> usize {
        let size = self.size;
        let at = |row: usize, col: usize| self.dark[row * size + col];
        let mut penalty = 0;
        for a in 0..size {
            for line in [
                (0..size).map(|b| at(a, b)).collect::<Vec<_>>(),
                (0..size).map(|b| at(b, a)).collect(),
            ] {
                penalty += line
                    .chunk_by(|a, b| a == b)
                    .filter(|run| run.len() >= 5)
                    .map(|run| run.len() - 2)
                    .sum::<usize>();
                const CORNER: [bool; 7] = [true, false, true, true, true, false, true];
                for (start, seven) in line.windows(7).enumerate() {
                    let quiet = |range: std::ops::Range<isize>| {
                        let mut places = range;
                        places.all(|place| {
                            usize::try_from(place)
                                .ok()
                                .and_then(|place| line.get(place))
                                != Some(&true)
                        })
                    };
                    let start = start as isize;
                    if seven == CORNER && (quiet(start - 4..start) || quiet(start + 7..start + 11))
                    {
                        penalty += 40;
                    }
                }
            }
        }
        for row in 1..size {
            for col in 1..size {
                let four = [
                    at(row, col),
                    at(row - 1, col),
                    at(row, col - 1),
                    at(row - 1, col - 1),
                ];
                if four.iter().all(|one| *one == four[0]) {
                    penalty += 3;
                }
            }
        }
        let dark = self.dark.iter().filter(|dark| **dark).count();
        penalty + (dark * 20).abs_diff(size * size * 10) / (size * size) * 10
    }
}

/// Places around a centre.
fn square(row: usize, col: usize, by: usize) -> impl Iterator<Item = (usize, usize)> {
    let range = move |middle: usize| middle.saturating_sub(by)..=middle + by;
    range(row).flat_map(move |r| range(col).map(move |c| (r, c)))
}

/// Bits followed by `correction` bits of correction: the remainder by a polynomial.
fn protected(bits: u32, correction: u32, polynomial: u32) -> u32 {
    let mut rest = bits;
    for _ in 0..correction {
        rest = (rest << 1) ^ ((rest >> (correction - 1)) * polynomial);
    }
    bits << correction | rest
}

fn masks(mask: u32, row: usize, col: usize) -> bool {
    let product = row * col;
    0 == match mask {
        0 => (row + col) % 2,
        1 => row % 2,
        2 => col % 3,
        3 => (row + col) % 3,
        4 => (row / 2 + col / 3) % 2,
        5 => product % 2 + product % 3,
        6 => (product % 2 + product % 3) % 2,
        _ => ((row + col) % 2 + product % 3) % 2,
    }
}
