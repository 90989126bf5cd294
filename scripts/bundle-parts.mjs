/**
 * The parts of the core that few programs use, or only after an error. Each is a file of its own, which is loaded when one of
 * its functions is called first. The core has a function of the same name for each, which loads the part and calls it.
 *
 * The callers are synchronous, so a part is CommonJS. It gets what it shares with the core as an argument. Its name has a
 * hash of its text: a program that still runs after an update never loads a part of another version.
 */
import { createHash } from "node:crypto"

/** The modules of each part, below `dist/`, without `.js`; `/` at the end is for a folder. Only functions are exported. */
export const parts = {
  messages: ["lib/fault", "lib/messages/", "lib/middleware/fault", "lib/scan/fault"],
  middleware: ["lib/middleware/", "lib/jwt/jwt", "lib/proxy-matchers"],
  mount: ["lib/mount/", "lib/scan/"],
  forms: [
    "lib/request/forms",
    "lib/request/parts",
    "lib/request/form",
    "lib/request/large-form",
    "lib/request/file-types",
    "lib/request/file-problems",
    "lib/request/signed-cookies",
    "lib/request/flash",
  ],
  files: [
    "lib/static/static",
    "lib/static/conditional",
    "lib/static/media-types",
    "lib/static/range",
    "adapters/disk/files",
  ],
  streams: [
    "lib/answer/sse",
    "lib/answer/socket",
    "lib/answer/event-log",
    "lib/answer/stream",
    "adapters/node/socket",
    "adapters/node/stream",
    "adapters/shared/handshake",
  ],
  log: [
    "lib/log/logger",
    "lib/log/logger-options",
    "lib/log/text-log",
    "lib/log/error-report",
    "lib/log/process-log",
    "adapters/disk/output",
    "adapters/disk/kept-text-log",
  ],
  addresses: ["lib/request/client-address"],
  hosted: ["adapters/node/handler"],
}

/** Modules in such folders that every server needs, or that export more than functions. */
const kept = new Set(["lib/middleware/combine"])

/** The name of the part that a module is listed in. @param {string} place below `dist/` */
export function partOf(place) {
  const name = place.replace(/\.js$/, "")
  if (kept.has(name)) return undefined
  for (const [part, modules] of Object.entries(parts))
    if (modules.some((module) => (module.endsWith("/") ? name.startsWith(module) : name === module)))
      return part
  return undefined
}

/**
 * The functions that a compiled module declares, by name. Makers of errors are functions too.
 *
 * @param {string} text
 * @returns {Map<string, number>} the number of parameters
 */
export function functionsOf(text) {
  const found = new Map()
  for (const { 1: name = "", index } of text.matchAll(/^(?:async )?function\*? ([\w$]+)\(/gm))
    found.set(name, parametersAt(text, text.indexOf("(", index) + 1))
  for (const [, name = ""] of text.matchAll(
    /^(?:const|let|var) (\w+) = (?:\/\* @__PURE__ \*\/ )?faultsOf\(/gm,
  ))
    found.set(name, 1)
  return found
}

/**
 * The `length` of a function: parameters before the first with a default, and before the rest.
 *
 * @param {string} text @param {number} start
 */
function parametersAt(text, start) {
  let depth = 0
  let count = 0
  let isNamed = false
  for (let at = start; ; at += 1) {
    const char = text[at] ?? ")"
    if (depth === 0 && (char === ")" || char === "," || char === "=" || text.startsWith("...", at))) {
      if (char === ",") count += 1
      else return char === ")" && isNamed ? count + 1 : count
      isNamed = false
    } else if (/\S/.test(char)) isNamed = true
    if ("([{".includes(char)) depth += 1
    if (")]}".includes(char)) depth -= 1
  }
}

/**
 * A module with a function for each of a part's, which loads the part.
 *
 * @param {string} part
 * @param {ReadonlyMap<string, number>} functions
 * @param {ReadonlyMap<string, string>} names the names in the part
 */
export function standInModule(part, functions, names) {
  const exported = [...functions].filter(([name]) => names.has(name))
  const written = exported.map(([name, length]) => {
    const parameters = Array.from({ length }, (_, at) => `a${at}`).join(", ")
    return `export function ${name}(${parameters}) { return ${loader(part)}().${names.get(name)}.apply(this, arguments) }`
  })
  return [`import { ${loader(part)} } from "fw-parts:"`, ...written].join("\n")
}

/** The name of the function that loads a part. @param {string} part */
const loader = (part) => `${part}Part`

/** The module with the functions that load the parts. @param {ReadonlyMap<string, string>} files */
export function loaders(files) {
  return [...files]
    .map(
      ([part, file]) => `let ${part}; export const ${loader(part)} = () => ${part} ??= fwPart("./${file}")`,
    )
    .join("\n")
}

/**
 * The function that loads the file of a part, for the end of the core, which shares its objects by the names in the parts.
 *
 * @param {readonly (readonly [local: string, shared: string])[]} names
 */
export function loadingFunction(names) {
  const shared = names.map(([local, name]) => `${name}:${local}`).join(",")
  const advice = 'A bundler must take the modules of fw, by the package condition "module" or "fw-modules".'
  return `var fwRequire,fwShared;function fwPart(file){fwRequire??=process.getBuiltinModule("node:module").createRequire(import.meta.url);fwShared??={${shared}};
try{return fwRequire(file)(fwShared)}catch(cause){if(cause?.code!=="MODULE_NOT_FOUND")throw cause;
throw new Error(\`\${file} is not next to \${import.meta.url}. ${advice}\`,{cause})}}`
}

/** A name that the file of a part has. @param {string} part @param {string} text */
export function partFile(part, text) {
  return `part-${part}-${createHash("sha256").update(text).digest("hex").slice(0, 10)}.cjs`
}

/**
 * Makes CommonJS of the text of a part, which is a function of what the core shares.
 *
 * @param {{ imports: string, body: string, exports: string }} module
 */
export function asCommonJS({ imports, body, exports }) {
  const taken = imports.replace(importStatement, (_, all, one, names, from) => {
    const source = from.startsWith("./") ? "fw" : `require(${JSON.stringify(from)})`
    return `const ${all ?? one ?? names.replace(/([\w$]+) as ([\w$]+)/g, "$1: $2")} = ${source}\n`
  })
  if (/^import /m.test(taken)) throw new Error(`an import of a part is not known: ${taken}`)
  const given = exports.replace(
    /^export (\{[^}]*\});?\s*$/,
    (_, names) => `return ${names.replace(/([\w$]+) as ([\w$]+)/g, "$2: $1")}`,
  )
  return `"use strict";\nmodule.exports = (fw) => {\n${taken}${body}${given}\n}\n`
}

const importStatement = /^import (?:\* as (\w+)|(\w+)|(\{[^}]*\})) from "([^"]+)";\n/gm

/**
 * A program that imports only what it uses: esbuild keeps every name of an import that it does not follow.
 *
 * @param {string} text
 */
export function withUsedImports(text) {
  const body = text.replace(importStatement, "")
  const used = new Set(body.match(/[\w$]+/g))
  return text.replace(importStatement, (all, _, __, names) => {
    if (!names) return all
    const kept = namesIn(names).filter((name) => used.has(name.split(" as ").at(-1) ?? ""))
    return kept.length === 0 ? "" : all.replace(names, `{ ${kept.join(", ")} }`)
  })
}

/** @param {string} names in braces */
const namesIn = (names) =>
  names
    .slice(1, -1)
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)

/**
 * The names that files take from another.
 *
 * @param {readonly string[]} texts @param {string} file
 */
export function namesFrom(texts, file) {
  const statements = /^(?:im|ex)port (\{[^}]*\}) from "([^"]+)";$/gm
  return new Set(
    texts
      .flatMap((text) => [...text.matchAll(statements)])
      .filter(([, , from]) => from === file)
      .flatMap(([, names = ""]) => namesIn(names))
      .map((name) => name.split(" as ")[0] ?? ""),
  )
}
