// Generates the page's types and the table of addresses from the description of the interface (openapi.json), so that they
// need not be kept by hand. `node wire-types.js` compares them with the files in the source folder, `node wire-types.js --write`
// writes them.

import { readFileSync, writeFileSync } from "node:fs";
import { startServer } from "./tests/support.js";

const page = new URL("../page/js/", import.meta.url).pathname;
const HEAD = "// Made by `node wire-types.js --write` in browser-tests from the description of the interface. Not to be changed by hand.\n";

/**
 * @param {any} description
 * @returns {Record<string, string>} texts by path in the page's folder
 */
export function generate(description) {
  const { schemas } = description.components;
  const answered = reachable(schemas, answers(description));
  const types = Object.keys(schemas).sort().map((name) => comment(schemas[name].description, "") + declared(name, schemas[name], !answered.has(name)));
  return {
    "wire.d.ts": `${HEAD}\n${types.join("\n")}\n${questions(description)}`,
    "backend/routes.js": `${HEAD}\n${routes(description)}`,
  };
}

/** @param {any} description */
function operations(description) {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(/** @type {any} */ (methods)).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation: /** @type {any} */ (operation) })));
}

/** @param {any} operation */
const answerOf = (operation) => operation.responses["200"]?.content?.["application/json"]?.schema;

/**
 * The schemas of everything that the back end sends. In them no field is left out: a value that may be missing is null.
 * @param {any} description
 */
function answers(description) {
  return [{ $ref: "#/components/schemas/Say" }, { $ref: "#/components/schemas/Refusal" }, ...operations(description).map(({ operation }) => answerOf(operation) ?? {})];
}

/**
 * @param {Record<string, any>} schemas
 * @param {any[]} from
 */
function reachable(schemas, from) {
  /** @type {Set<string>} */
  const found = new Set();
  const look = (/** @type {any} */ part) => {
    if (!part || typeof part !== "object") return;
    if (typeof part.$ref === "string") {
      const name = nameOf(part.$ref);
      if (found.has(name)) return;
      found.add(name);
      look(schemas[name]);
    }
    for (const value of Object.values(part)) look(value);
  };
  look(from);
  return found;
}

const nameOf = (/** @type {string} */ reference) => reference.slice(reference.lastIndexOf("/") + 1);

/**
 * @param {string | undefined} words
 * @param {string} indent
 */
const comment = (words, indent) => (words ? `${indent}/** ${words.replace(/\s+/g, " ").trim()} */\n` : "");

/**
 * @param {string} name
 * @param {any} schema
 * @param {boolean} optional whether fields may be left out
 */
function declared(name, schema, optional) {
  return `export type ${name} = ${type(schema, optional, "")};\n`;
}

/**
 * @param {any} schema
 * @param {boolean} optional
 * @param {string} indent
 * @returns {string}
 */
function type(schema, optional, indent) {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(" | ");
  for (const [kind, sign] of [["oneOf", " | "], ["anyOf", " | "], ["allOf", " & "]]) {
    if (schema[kind]) return schema[kind].map((/** @type {any} */ one) => bracketed(type(one, optional, indent))).join(sign);
  }
  const kinds = [schema.type].flat();
  return kinds.map((kind) => plain(kind, schema, optional, indent)).join(" | ");
}

const bracketed = (/** @type {string} */ text) => (/ [|&] /.test(text) ? `(${text})` : text);

/**
 * @param {string | undefined} kind
 * @param {any} schema
 * @param {boolean} optional
 * @param {string} indent
 * @returns {string}
 */
function plain(kind, schema, optional, indent) {
  switch (kind) {
    case "integer": case "number": return "number";
    case "string": case "boolean": case "null": return kind;
    case "array": {
      const item = bracketed(type(schema.items, optional, indent));
      const fixed = schema.minItems !== undefined && schema.minItems === schema.maxItems;
      return fixed ? `[${Array(schema.minItems).fill(item).join(", ")}]` : `${item}[]`;
    }
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const missing = optional && !schema.required?.includes(name);
        return `${comment(field.description, `${indent}  `)}${indent}  ${name}${missing ? "?" : ""}: ${type(field, optional, `${indent}  `)};\n`;
      });
      return fields.length ? `{\n${fields.join("")}${indent}}` : "{}";
    }
    default: return "unknown";
  }
}

/** @param {any} description */
function asked(description) {
  return operations(description).filter(({ operation }) => answerOf(operation));
}

/** @param {any} description */
function questions(description) {
  const rows = asked(description).map(({ operation }) => {
    const fields = (operation.parameters ?? []).map((/** @type {any} */ one) => `${one.name}${one.required ? "" : "?"}: ${type(one.schema, false, "")}`);
    const body = operation.requestBody?.content["application/json"].schema;
    const parts = [fields.length ? `{ ${fields.join("; ")} }` : "", body ? type(body, true, "") : ""].filter(Boolean);
    return `${comment(operation.summary, "  ")}  ${operation.operationId}: { request: ${parts.join(" & ") || "{}"}; answer: ${type(answerOf(operation), false, "")} };\n`;
  });
  return `/** Questions with one answer: the request, including what the address carries, and the answer. */\nexport interface Questions {\n${rows.join("")}}\n`;
}

/** @param {any} description */
function routes(description) {
  const rows = [...asked(description), ...operations(description).filter(({ operation }) => operation.operationId === "think")].map(({ path, method, operation }) => {
    const query = (operation.parameters ?? []).filter((/** @type {any} */ one) => one.in === "query").map((/** @type {any} */ one) => one.name);
    return `  ${operation.operationId}: { method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)}, query: /** @type {string[]} */ (${JSON.stringify(query)}) },\n`;
  });
  return `/** The address of the server for each question. */\nexport const ROUTES = {\n${rows.join("")}};\n`;
}

/** @returns {Promise<Record<string, string>>} */
export async function generated() {
  const server = await startServer();
  try {
    return generate(await (await fetch(`${server.url}/api/v1/openapi.json`)).json());
  } finally {
    await server.stop();
  }
}

/** The files that differ from those generated from the description. */
export async function outdated() {
  const texts = Object.entries(await generated());
  return texts.filter(([file, text]) => {
    try {
      return readFileSync(page + file, "utf8") !== text;
    } catch {
      return true;
    }
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const different = await outdated();
  for (const [file, text] of different) {
    if (process.argv.includes("--write")) writeFileSync(page + file, text);
    console.log(`${file} ${process.argv.includes("--write") ? "written" : "differs: node wire-types.js --write"}`);
  }
  process.exitCode = different.length && !process.argv.includes("--write") ? 1 : 0;
}
