/** Colours code by the grammars of Visual Studio Code, and templates by fw's own grammar. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import oniguruma from "vscode-oniguruma"
import textmate, { type IGrammar } from "vscode-textmate"
import { escapeHtml } from "./escape.ts"

const { createOnigScanner, createOnigString, loadWASM } = oniguruma
const { INITIAL, parseRawGrammar, Registry } = textmate
const { resolve: findFile } = createRequire(resolve("package.json"))

/** The grammars by the names of languages in Markdown. Languages of only one or two blocks in `docs/` have none. */
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

/**
 * The colours of words, by the beginning of their scope in the grammar. The first pattern that matches the innermost
 * scope is used.
 */
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

/** Creates the registry of grammars, which loads each grammar with the first block of code that needs it. */
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

/** Returns code as HTML, with a `<span>` around each word that has a colour. Code without a grammar is only escaped. */
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
    // Code in the braces of a string is coloured as code, not as a string.
    if (/^meta\.(?:template\.expression|embedded)/.test(scope)) return ""
    const found = kinds.find(([, pattern]) => pattern.test(scope))
    if (found) return found[0]
  }
  return ""
}

/** Joins words of the same colour that follow each other into one element. */
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
