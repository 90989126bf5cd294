/**
 * Shortens the bundles for Node: no white space, and short names for what is local in a function. The names of functions,
 * classes and methods stay, because stacks and `error.name` show them.
 */

import { ScriptError } from "./common.mjs"

/** @satisfies {import("esbuild").CommonOptions} */
export const printed = {
  target: "node20.19",
  // V8 keeps a text with one character beyond Latin-1 in twice the bytes, and takes a tenth longer to parse it.
  charset: "ascii",
}

/** Short lines, so that an error shows little more than its own statement. */
const short = { minify: true, lineLimit: 120 }

/** The flags that every request, or every request with a body, asks for. */
const asked = ["BODY", "DEFER", "DEV_ERRORS", "PROXY", "SIGNED_COOKIES", "SOCKETS"]

/**
 * Defines flags as undefined, for which `typeof` gives what it gives for a missing variable. V8 looks up a missing one in each
 * request, in 5 ns. Of a defined one it knows the value when it compiles the function.
 */
const definitions =
  `for(const name of ${JSON.stringify(asked.map((flag) => `FW_${flag}`))})name in globalThis||` +
  "Object.defineProperty(globalThis,name,{configurable:true,writable:true});"

/**
 * Returns the text of a bundle that esbuild has printed with white space.
 *
 * @param {typeof import("esbuild")} esbuild
 * @param {string} text
 * @param {boolean} isCore
 */
export async function withShortNames(esbuild, text, isCore) {
  const { imports, body, exports } = partsOf(text)
  // esbuild keeps the names of the top level only in a program without imports and exports.
  const { code } = await esbuild.transform(withClassNames(body), { ...printed, ...short })
  const [head, tail] = [imports, exports].map((part) => part.replace(/\s*([{},;"])\s*/g, "$1"))
  return `${head}${isCore ? definitions : ""}${withKnownFlags(code)}${tail}`
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
 * Compares flags as every bundler knows it: esbuild makes `typeof FW_SSE > "u"` of `typeof FW_SSE === "undefined"`.
 *
 * @param {string} code
 */
function withKnownFlags(code) {
  return code.replace(
    /typeof\s+(FW_\w+)\s*([<>])\s*"(?:\\\n)?u(?:\\\n)?"/g,
    (_, flag, sign) => `typeof ${flag}${sign === ">" ? "=" : "!"}=="undefined"`,
  )
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
