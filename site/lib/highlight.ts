/** Colours of code, by the grammars of Visual Studio Code; that of templates is fw's own. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import oniguruma from "vscode-oniguruma"
import textmate, { type IGrammar } from "vscode-textmate"
import { escapeHtml } from "./escape.ts"

const { createOnigScanner, createOnigString, loadWASM } = oniguruma
const { INITIAL, parseRawGrammar, Registry } = textmate
const { resolve: findFile } = createRequire(resolve("package.json"))

/** The grammar of a language, as Markdown names it. A language of one or two blocks in `docs/` is not worth its grammar. */
const scopes: Readonly<Record<string, string>> = {
  css: "source.css",
  diff: "source.diff",
  dockerfile: "source.dockerfile",
  html: "source.tpl",
  http: "source.http",
  ini: "source.ini",
  js: "source.ts",
  json: "source.json",
  sh: "source.shell",
  sql: "source.sql",
  tpl: "source.tpl",
  ts: "source.ts",
  tsx: "source.tsx",
  yaml: "source.yaml",
}

/** The kinds of words that have a colour, by the beginning of their scope. The first that fits the innermost scope wins. */
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["comment", /^(?:comment|punctuation\.definition\.comment)/],
  ["added", /^markup\.inserted/],
  ["removed", /^markup\.deleted/],
  ["string", /^(?:string|punctuation\.definition\.string|constant\.character)/],
  ["number", /^constant/],
  ["tag", /^(?:entity\.name\.tag|support\.class\.component)/],
  ["attribute", /^(?:entity\.other\.attribute|support\.type\.property-name|entity\.name\.header)/],
  ["function", /^(?:entity\.name\.function|support\.function)/],
  ["type", /^(?:entity\.name\.(?:type|class)|support\.(?:type|class)|entity\.other\.inherited)/],
  ["keyword", /^(?:storage|keyword\.(?!operator(?!\.(?:new|expression|type))))/],
]

/** The grammars, by their scope. They are loaded with the first block of code. */
async function createRegistry(): Promise<textmate.Registry> {
  const files = new Map<string, string>()
  for (const { name, scopeName } of (await import("tm-grammars")).grammars) {
    files.set(scopeName, findFile(`tm-grammars/grammars/${name}.json`))
  }
  files.set("source.tpl", resolve("../editors/vscode/syntaxes/tpl.tmLanguage.json"))
  await loadWASM(readFileSync(findFile("vscode-oniguruma/release/onig.wasm")))
  return new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const file = files.get(scope)
      return file === undefined ? null : parseRawGrammar(readFileSync(file, "utf8"), file)
    },
  })
}

let registry: Promise<textmate.Registry> | undefined

/** Returns code as HTML, with a `<span>` around each word that has a colour. Text of other languages is escaped. */
export async function highlight(code: string, language: string): Promise<string> {
  const scope = scopes[language]
  registry ??= createRegistry()
  const grammar = scope === undefined ? null : await (await registry).loadGrammar(scope)
  return grammar ? highlightLines(grammar, code) : escapeHtml(code)
}

function highlightLines(grammar: IGrammar, code: string): string {
  let state = INITIAL
  const lines = code.split("\n").map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
    state = ruleStack
    return joinTokens(
      tokens.map(({ startIndex, endIndex, scopes }) => [findKind(scopes), line.slice(startIndex, endIndex)]),
    )
  })
  return lines.join("\n")
}

function findKind(scopes: readonly string[]): string {
  for (const scope of scopes.toReversed()) {
    // What is in braces of a string is code again.
    if (/^meta\.(?:template\.expression|embedded)/.test(scope)) return ""
    const found = kinds.find(([, pattern]) => pattern.test(scope))
    if (found) return found[0]
  }
  return ""
}

/** Words of one kind that stand next to each other are one element. */
function joinTokens(tokens: readonly (readonly [kind: string, text: string])[]): string {
  let html = ""
  for (let at = 0; at < tokens.length; ) {
    const [kind] = tokens[at] as readonly [string, string]
    let text = ""
    for (; at < tokens.length && tokens[at]?.[0] === kind; at++) text += tokens[at]?.[1] ?? ""
    html += kind === "" ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`
  }
  return html
}
