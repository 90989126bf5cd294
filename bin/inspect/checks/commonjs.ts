/** Finds CommonJS in modules. fw adds `require()` to programs for Node, because packages may need it: other runtimes have none. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { positionOf, type Token } from "../../../lib/scan/tokens.ts"
import { tokensOf } from "../../project/module-tokens.ts"
import { type Finding, warning } from "./finding.ts"
import { ofModules } from "./of-sources.ts"

const mayHave = /\brequire\s*\(|\bexports\b/
const declares =
  /\b(?:const|let|var|function|class|import)[\s{*]+(?:[^;=()"']*[\s{,*])?(?:require|module|exports)\b/
const parameter = /[(,]\s*(?:require|module|exports)\s*[:,)?]/

const inModules = ofModules((file, text) => (mayHave.test(text) ? findingsIn(file, text) : []))

/** Returns a warning for the first CommonJS of each module of a project. */
export function commonJSIn(root: string): Promise<Finding[]> {
  return inModules(root, typeOf(root) === "module" ? /\.m?[jt]sx?$/ : /\.m[jt]s$/)
}

function typeOf(root: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { type?: unknown }).type
  } catch {
    return undefined
  }
}

function findingsIn(file: string, source: string): Finding[] {
  const tokens = tokensOf(file, source)
  const text = tokens.map((token) => token.text).join(" ")
  // The file has its own values of these names.
  if (declares.test(text) || parameter.test(text)) return []
  const at = tokens.findIndex((_, index) => beginsCommonJS(tokens, index))
  const found = tokens[at]
  if (!found) return []
  const place = { file, ...positionOf(source, found.start) }
  if (found.text !== "require") {
    const name = tokens[found.text === "module" ? at + 4 : at + 2]?.text
    const written = name && /^[A-Za-z_$][\w$]*$/.test(name) && tokens[at + 3]?.text !== "{" ? name : "name"
    return [
      warning(
        "commonjs",
        place,
        "modules have no module.exports and no exports",
        `Write export const ${written} = …, or export default ….`,
      ),
    ]
  }
  const message = "require() is not part of modules: only programs that fw bundles for Node have it"
  return [warning("commonjs", place, message, `Write ${importOf(tokens, at)} at the top of the file.`)]
}

function beginsCommonJS(tokens: readonly Token[], at: number): boolean {
  const [before, token, after, next] = [tokens[at - 1], tokens[at], tokens[at + 1], tokens[at + 2]]
  if (token?.kind !== "word" || before?.text === "." || before?.text === "?.") return false
  if (token.text === "require") return after?.text === "(" && next?.kind === "string"
  if (token.text === "module") return after?.text === "." && next?.text === "exports"
  return token.text === "exports" && after?.text === "." && tokens[at + 3]?.text === "="
}

/** Returns the import that replaces a call of `require`, whose names are before it. */
function importOf(tokens: readonly Token[], at: number): string {
  const module = tokens[at + 2]?.text ?? '"…"'
  const before = tokens[at - 1]
  if (before?.text !== "=")
    return !before || tokens[at]?.newline ? `import ${module}` : `import … from ${module}`
  const start = tokens.slice(0, at).findLastIndex(({ text }) => /^(?:const|let|var)$/.test(text))
  const names = tokens.slice(start + 1, at - 1).map(({ text }) => (text === ":" ? "as" : text))
  return `import ${names.join(" ").replaceAll(" ,", ",")} from ${module}`
}
