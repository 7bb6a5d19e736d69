// Making elements. Text is always text: nothing here reads markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[]} Children */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} props attributes; `on…` are listeners, `class` and the rest attributes,
 *   false, null and undefined are left out, true is the empty attribute
 */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (name === "value" && "value" in element) element.value = String(value);
    else if (name === "checked" && "checked" in element) element.checked = Boolean(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Element} element
 * @param {Children[]} children
 */
function fill(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  set(element, props);
  fill(element, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...Children} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  set(element, props);
  fill(element, children);
  return element;
}

/**
 * One of the icons drawn in index.html.
 * @param {string} name
 */
export function icon(name) {
  return s("svg", { class: "icon", "aria-hidden": "true", focusable: "false" }, s("use", { href: `#i-${name}` }));
}

/**
 * Replaces all children.
 * @param {Element} element
 * @param {...Children} children
 */
export function refill(element, ...children) {
  element.replaceChildren();
  fill(element, children);
}

/**
 * The element that must be there.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}
