/** Leaves out the parts of bundled packages that fw does not use: they are most of their size. */
import { readFileSync } from "node:fs"
import { packedData } from "./vendor-css.mjs"

/**
 * Modules that nothing calls. Of the HTML and the CSS service: the formatter, because templates have their own, and links;
 * languages besides CSS. Of the MCP SDK: the check of what users answer to a server's questions, tasks, and JSON Schemas
 * made of Zod's.
 */
const unused = new RegExp(
  [
    "vscode-html-languageservice/lib/esm/beautify/.*",
    "vscode-html-languageservice/lib/esm/services/(?:htmlFormatter|htmlSelectionRange|htmlFolding|pathCompletion|htmlLinks)",
    "vscode-css-languageservice/lib/esm/(?:beautify|services|parser)/(?:scss|less|beautify-)\\w+",
    "vscode-css-languageservice/lib/esm/services/(?:cssFormatter|cssSelectionRange|cssFolding|pathCompletion)",
    "vscode-css-languageservice/lib/esm/utils/resources",
    "@modelcontextprotocol/sdk/dist/esm/(?:validation/ajv-provider|experimental/tasks/server)",
    "zod/v4/core/(?:json-schema-processors|to-json-schema)",
  ]
    .map((path) => `/${path}\\.js$`)
    .join("|")
    .replaceAll("/", "[/\\\\]"),
)
const entities = /[/\\]htmlEntities\.js$/
const cssData = /[/\\]vscode-css-languageservice[/\\].*[/\\]webCustomData\.js$/
const cssEntry = /[/\\]vscode-css-languageservice[/\\].*[/\\]entry\.js$/
const protocolTypes = /[/\\]vscode-languageserver-(?:types|textdocument)[/\\]lib[/\\]esm[/\\]main\.js$/
const data = /[/\\]vscode-html-languageservice[/\\].*[/\\]webCustomData\.js$/
/** Members of the data that no editor shows, or only as links and lists of browsers. */
const dropped = new Set(["browsers", "references", "status"])

/** Longest descriptions, in characters. CSS has most of them. */
const longest = 120
const longestOfCSS = 80

/** @type {import("esbuild").Plugin} */
export const vendorParts = {
  name: "vendor-parts",
  setup(build) {
    build.onLoad({ filter: unused }, ({ path }) => ({ contents: emptied(readFileSync(path, "utf8")) }))
    build.onLoad({ filter: entities }, () => ({
      contents: `export const entities = ${JSON.stringify(common)}`,
    }))
    build.onLoad({ filter: data }, ({ path }) => ({ contents: shortened(readFileSync(path, "utf8")) }))
    build.onLoad({ filter: cssData }, ({ path }) => ({
      contents: packedData(readFileSync(path, "utf8"), (text) => shortText(text, longestOfCSS)),
    }))
    // Pictures of the support by browsers, which the data does not have.
    build.onLoad({ filter: cssEntry }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/data:image[^']*/g, ""),
    }))
    build.onLoad({ filter: protocolTypes }, ({ path }) => ({ contents: pure(readFileSync(path, "utf8")) }))
    // Its messages are English, and it reads files to translate them.
    build.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path: "l10n", namespace: "vendor-parts" }))
    build.onLoad({ filter: /^l10n$/, namespace: "vendor-parts" }, () => ({ contents: l10n }))
  },
}

/** The entities that people write; the others are characters that every keyboard or editor can insert. */
const common = {
  "amp;": "&",
  "lt;": "<",
  "gt;": ">",
  "quot;": '"',
  "nbsp;": "\u00a0",
  "shy;": "\u00ad",
  "copy;": "©",
  "hellip;": "…",
  "ndash;": "–",
  "mdash;": "—",
  "times;": "×",
  "larr;": "←",
  "rarr;": "→",
  "laquo;": "«",
  "raquo;": "»",
}

const l10n = `export const t = (message, ...values) =>
  (typeof message === "string" ? message : message.message).replace(/\\{(\\d+)\\}/g, (_, at) => values[at] ?? "")
`

/** Returns a module that exports the same names with nothing in them. @param {string} module */
function emptied(module) {
  const names = [...module.matchAll(/^export (?:async )?(?:class|function|const|let|var) (\w+)/gm)]
  const nothing = "function () { return new Proxy({}, { get: () => () => undefined }) }"
  return `const nothing = ${nothing}\nexport { ${names.map(([, name]) => `nothing as ${name}`).join(", ")} }`
}

/** Returns a module whose namespaces are left out if nothing uses them. @param {string} module */
function pure(module) {
  return module.replace(
    /^export var (\w+);\r?\n\(function \(\1\) \{([\s\S]*?)^\}\)\(\1 \|\| \(\1 = \{\}\)\);/gm,
    (_, name, body) =>
      `export const ${name} = /* @__PURE__ */ (() => {\nconst ${name} = {};${body}return ${name}\n})()`,
  )
}

/** Returns a module of data with short descriptions. @param {string} module */
function shortened(module) {
  const [, name, text = ""] = /export const (\w+) = ([\s\S]*?);?\s*$/.exec(module) ?? []
  const shown = JSON.stringify(JSON.parse(text), (key, value) => {
    if (dropped.has(key)) return undefined
    return key === "description" ? shortText(typeof value === "string" ? value : value.value, longest) : value
  })
  return `export const ${name} = ${shown}`
}

/** Returns the first sentence of a text, without links. @param {string} text @param {number} most */
function shortText(text, most) {
  const plain = text.replace(/\[([^\]]*)\]\((?:[^()"]|"[^"]*"|\([^)]*\))*\)/g, "$1").replace(/\s+/g, " ")
  const [sentence = plain] = /^.*?[^.]{3}\.(?= [A-Z]|$)/.exec(plain) ?? []
  return sentence.length <= most ? sentence : `${sentence.slice(0, most).replace(/\s+\S*$/, "")}…`
}
