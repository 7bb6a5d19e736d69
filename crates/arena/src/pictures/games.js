// Games to click through: a list, a board, and buttons. The page contains the positions; this script does not know the rules.
"use strict";
for (const viewer of document.querySelectorAll(".viewer")) {
  const games = JSON.parse(viewer.querySelector("script").textContent);
  const [list, board, words, buttons] = ["select", ".stage", ".words", ".steps"].map((name) => viewer.querySelector(name));
  let ply = 0;
  const svg = (width, height, inside) =>
    `<svg class="board" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">${inside}</svg>`;
  const label = (x, y, size, text, colour = "#262626") =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" text-anchor="middle" dominant-baseline="central">${text}</text>`;
  const kalah = (position, move) => {
    const numbers = position.split(/\s+/).map(Number);
    const player = numbers.pop(), pits = numbers.length / 2 - 1, size = 54;
    const width = size * (pits + 2), height = 2 * size + 44;
    let inside = `<rect x="1" y="22" width="${width - 2}" height="${2 * size}" rx="18" fill="#e9d8bd" stroke="#8a6d46"/>`;
    for (const [x, store] of [[size * (pits + 1.5), pits], [size / 2, 2 * pits + 1]]) {
      inside += `<rect x="${x - size / 2 + 8}" y="34" width="${size - 16}" height="${2 * size - 24}" rx="16" fill="#f8f1e4" stroke="#8a6d46"/>${label(x, 22 + size, 20, numbers[store])}`;
    }
    for (let side = 0; side < 2; side++) {
      for (let pit = 0; pit < pits; pit++) {
        const x = size * ((side ? pits - 1 - pit : pit) + 1.5), y = side ? 22 + size / 2 : 22 + 1.5 * size;
        const next = side === player && String(pit) === move;
        inside += `<circle cx="${x}" cy="${y}" r="21" fill="#f8f1e4" stroke="${next ? "#cd6923" : "#8a6d46"}" stroke-width="${next ? 5 : 1}"/>${label(x, y, 18, numbers[side * (pits + 1) + pit])}`;
        inside += label(x, side ? 12 : height - 10, 12, pit);
      }
    }
    return svg(width, height, inside + label(player ? size / 2 : size * (pits + 1.5), player ? 12 : height - 10, 12, "to move"));
  };
  const isolation = (position, move) => {
    const [text, player] = position.trim().split(/\s+/), rows = text.split("/"), size = 30;
    const targets = (move ?? "").split("/");
    let inside = "";
    for (let column = 0; column < rows[0].length; column++) inside += label(size * (column + 1.5), size / 2, 12, String.fromCharCode(97 + column));
    rows.forEach((cells, row) => {
      inside += label(size / 2, size * (row + 1.5), 12, row + 1);
      [...cells].forEach((cell, column) => {
        const x = size * (column + 1), y = size * (row + 1), piece = "12".indexOf(cell);
        inside += `<rect x="${x}" y="${y}" width="${size}" height="${size}" fill="${"xo#".includes(cell) ? "#6f6a63" : "#f8f1e4"}" stroke="#b9ad9a"/>`;
        if (piece >= 0) {
          inside += `<circle cx="${x + size / 2}" cy="${y + size / 2}" r="11" fill="${["#236eaa", "#a03c3c"][piece]}" stroke="#262626" stroke-width="${String(piece) === player ? 3 : 0}"/>${label(x + size / 2, y + size / 2, 13, piece, "#fff")}`;
        }
        if (targets.includes(String.fromCharCode(97 + column) + (row + 1))) {
          inside += `<rect x="${x + 3}" y="${y + 3}" width="${size - 6}" height="${size - 6}" fill="none" stroke="#cd6923" stroke-width="4"/>`;
        }
      });
    });
    return svg(size * (rows[0].length + 1), size * (rows.length + 1), inside);
  };
  const show = () => {
    const game = games[list.selectedIndex], last = game.positions.length - 1;
    ply = Math.max(0, Math.min(ply, last));
    const position = game.positions[ply], move = game.moves[ply];
    board.innerHTML = position.includes("/") ? isolation(position, move) : kalah(position, move);
    const said = move === undefined
      ? `After ${last} moves: ${game.result}, ${game.ending}${game.detail ? `: ${game.detail}` : ""}`
      : `Move ${ply + 1} of ${last}${ply < game.opening ? " (opening)" : ""}: ${move}`;
    words.textContent = `${game.first} (player 0) – ${game.second} (player 1). ${said}.`;
  };
  list.addEventListener("change", () => { ply = 0; show(); });
  const steps = { first: -1e9, back: -1, forward: 1, last: 1e9 };
  for (const button of buttons.querySelectorAll("button")) {
    button.addEventListener("click", () => { ply += steps[button.name]; show(); });
  }
  viewer.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined || event.target === list) return;
    event.preventDefault();
    ply += by;
    show();
  });
  show();
}
