// How wide the board is: the parts above and below it are no wider.

/** @param {number} width in pixels */
export function tellWidth(width) {
  document.documentElement.style.setProperty("--board-width", `${width}px`);
}
