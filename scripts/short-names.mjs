/**
 * Shortens the bundles for Node: no white space, and short names for what is local in a function. The names of functions,
 * classes and methods stay, because stacks and `error.name` show them.
 */

import { loadingFunction } from "./bundle-parts.mjs"
import { ScriptError } from "./common.mjs"

/** @satisfies {import("esbuild").CommonOptions} */
export const printed = {
  target: "node20.19",
  // V8 keeps a text with one character beyond Latin-1 in twice the bytes, and takes a tenth longer to parse it.
  charset: "ascii",
}

/** Short lines, so that an error shows little more than its own statement. */
const short = { minify: true, lineLimit: 120 }

/**
 * The kind of a bundle: the core with the names that other files and its parts take from it, or a part.
 *
 * @typedef {object} Kind
 * @property {boolean} [isCore]
 * @property {ReadonlySet<string>} [exported]
 * @property {ReadonlySet<string>} [shared]
 * @property {(module: { imports: string, body: string, exports: string }) => string} [wrap]
 */

/**
 * Returns the text of a bundle that esbuild has printed with white space.
 *
 * @param {typeof import("esbuild")} esbuild
 * @param {string} text
 * @param {Kind} kind
 */
export async function withShortNames(esbuild, text, kind = {}) {
  const { imports, body, exports } = partsOf(text)
  // esbuild keeps the names of the top level only in a program without imports and exports.
  const { code } = await esbuild.transform(withClassNames(body), { ...printed, ...short })
  if (kind.wrap) return kind.wrap({ imports, body: code, exports })
  const tail = kind.isCore ? coreTail(exports, kind) : tight(exports)
  const only =
    code === ""
      ? /^import \{[^}]* as [^}]*\}|^import \{[^}]*\} from ("[^"]+");\n$/.exec(imports)?.[1]
      : undefined
  if (only) return tight(exports.replace(/;\s*$/, ` from ${only};`))
  const head = kind.isCore ? withoutWrappers(imports) : imports
  return `${tight(head)}${code}${tail}`
}

/** @param {string} statements */
const tight = (statements) => statements.replace(/\s*([{},;"])\s*/g, "$1")

/**
 * Takes modules of Node without an import, for which Node makes a module with all their exports: 0.3 ms for `node:fs`. The
 * program imports `node:http` itself, or a tracer that does patches it.
 *
 * @param {string} imports
 */
function withoutWrappers(imports) {
  return imports.replace(
    /^import (?:\* as (\w+)|(\{[^}]*\})) from "(node:(?!http")\w+)";\n/gm,
    (_, all, names, from) => {
      const taken = all ?? names.replace(/(\w+) as (\w+)/g, "$1: $2")
      return `const ${taken} = process.getBuiltinModule("${from}");\n`
    },
  )
}

/**
 * The exports of the core, and what it gives to its parts.
 *
 * @param {string} exports @param {Kind} kind
 */
function coreTail(exports, { exported = new Set(), shared = new Set() }) {
  const names = [...exports.matchAll(/([\w$]+) as ([\w$]+)/g)].map(
    ([, local = "", name = ""]) => /** @type {const} */ ([local, name]),
  )
  const known = new Set(names.map(([, name]) => name))
  for (const name of [...exported, ...shared])
    if (!known.has(name)) throw new ScriptError(`the core has no ${name}, which another bundle needs`)
  const given = names.filter(([, name]) => exported.has(name)).map(([local, name]) => `${local} as ${name}`)
  return `${loadingFunction(names.filter(([, name]) => shared.has(name)))}export{${given.join(",")}};`
}

/**
 * Gives classes the names of their variables: where a class names itself, esbuild writes `var Html = class _Html`, and would
 * shorten the second name.
 *
 * @param {string} code
 */
function withClassNames(code) {
  const classes = [...code.matchAll(/^var (\w+) = class (_\w+) /gm)]
  const names = new Map(classes.map(([, name = "", own = ""]) => [own, name]))
  if (names.size < classes.length) throw new ScriptError("two classes of a bundle have one name")
  return code
    .replace(/^var \w+ = class (_\w+) /gm, "class $1 ")
    .replace(/(?<![\w$.#])_\w+\b/g, (found) => names.get(found) ?? found)
}

/**
 * The imports, the rest and the exports of a program.
 *
 * @param {string} text
 */
function partsOf(text) {
  /** @type {string[]} */
  const imports = []
  const rest = text.replace(/^import (?:[^"'`;]+ from )?"[^"]+";\n/gm, (found) => {
    imports.push(found)
    return ""
  })
  const end = rest.search(/^export \{[^}]*\}(?: from "[^"]+")?;\s*$/m)
  const at = end < 0 ? rest.length : end
  return { imports: imports.join(""), body: rest.slice(0, at), exports: rest.slice(at) }
}
