/** Runs the TextMate grammar of templates with the engine of Visual Studio Code. */

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { IGrammar } from "vscode-textmate"
import { root } from "../tsc.ts"

const require = createRequire(import.meta.url)
const { INITIAL, parseRawGrammar, Registry } = require("vscode-textmate") as typeof import("vscode-textmate")
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma") as typeof import("vscode-oniguruma")

const others = "node_modules/tm-grammars/grammars"
const files: Readonly<Record<string, string>> = {
  "source.tpl": "editors/vscode/syntaxes/tpl.tmLanguage.json",
  "source.ts": `${others}/typescript.json`,
  "source.js": `${others}/javascript.json`,
  "source.css": `${others}/css.json`,
}

/** Loads the grammar, and the grammars of the languages that it embeds. */
export async function loadGrammar(): Promise<IGrammar> {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")))
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async (name) => {
      const file = files[name]
      return file === undefined ? null : parseRawGrammar(readFileSync(join(root, file), "utf8"), file)
    },
  })
  const grammar = await registry.loadGrammar("source.tpl")
  if (!grammar) throw new Error("there is no grammar of templates")
  return grammar
}

/** Returns the scopes of every character of a text. @throws Error if a line takes longer than five seconds. */
export function findScopes(grammar: IGrammar, text: string): (readonly string[])[] {
  const scopes: (readonly string[])[] = []
  let stack = INITIAL
  let start = 0
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack, 5_000)
    if (result.stoppedEarly) throw new Error(`the grammar does not come to the end of the line ${line}`)
    for (const token of result.tokens) {
      for (let at = token.startIndex; at < token.endIndex; at++) scopes[start + at] = token.scopes
    }
    stack = result.ruleStack
    start += line.length + 1
  }
  return scopes
}
