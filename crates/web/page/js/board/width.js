// How wide the board is: what stands above and below it is no wider.

/** @param {number} width in pixels */
export function tellWidth(width) {
  document.documentElement.style.setProperty("--board-width", `${width}px`);
}
