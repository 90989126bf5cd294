/**
 * Warns of values that are used too early because of circular imports: a module uses them while it is loaded, but
 * they come from a module that waits for it, so they do not exist yet (ECMA-262 §16.2.1.6). Node throws an error
 * then. In a bundle, such a value is undefined, without any message.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type ModuleToken, tokenize, toPosition } from "../../../lib/scan/tokens.ts"
import type { Esbuild } from "../../project/esbuild.ts"
import { findClosing } from "../../project/module-tokens.ts"
import { locateProblem, type Problem } from "../../project/problems.ts"

/** An import of a module that is still being loaded. Paths are relative to the project. */
export interface ImportCircle {
  readonly importer: string
  readonly target: string
  /** The modules from the target to the importer. Each is imported by the one before it. */
  readonly path: readonly string[]
}

/** Returns a warning for each value that is used before it exists. */
export async function findCircleWarnings(
  root: string,
  esbuild: Esbuild,
  circles: readonly ImportCircle[],
): Promise<Problem[]> {
  const found = await Promise.all(
    circles.map(async (circle) => {
      const source = readFileSync(join(root, circle.importer), "utf8")
      const [importerTokens, targetTokens] = await Promise.all([
        readPlainTokens(root, esbuild, circle.importer),
        readPlainTokens(root, esbuild, circle.target),
      ])
      const variables = findVariables(importerTokens, circle)
      const name = findUsedNames(importerTokens, variables).find((used) => isSetOnLoad(targetTokens, used))
      return name === undefined ? [] : [toProblem(root, source, circle, name)]
    }),
  )
  return found.flat()
}

function toProblem(root: string, source: string, { importer, target, path }: ImportCircle, name: string): Problem {
  const toTemplatePath = (file: string) => file.replace(/\.tpl\.ts$/, ".tpl")
  const at = new RegExp(`^import\\b[^;]*?\\b${name.replaceAll("$", "\\$")}\\b`, "m").exec(source)
  const position = toPosition(source, at ? at.index + at[0].length - name.length : 0)
  const circle = [...path, target].map(toTemplatePath).join(" → ")
  const message = `${name} is not there yet when ${toTemplatePath(importer)} is loaded and uses it: the files import each other in a circle, ${circle}`
  const fix = `Use ${name} only inside a function of ${toTemplatePath(importer)}, or move it to a file that imports neither.`
  return locateProblem(root, toTemplatePath(importer), importer.endsWith(".tpl.ts") ? undefined : position, {
    message,
    fix,
  })
}

/**
 * Returns the tokens of a module, translated to CommonJS without types. There, each use of an import is a member of
 * a variable with the result of `require()`, so it cannot be confused with another variable of the same name.
 * Statements end with semicolons.
 */
async function readPlainTokens(root: string, esbuild: Esbuild, file: string): Promise<readonly ModuleToken[]> {
  const loader = /\.[cm]?[jt]s$/.test(file) ? "ts" : "tsx"
  const { code } = await esbuild.transform(readFileSync(join(root, file), "utf8"), {
    loader,
    format: "cjs",
    jsx: "automatic",
  })
  return tokenize(code, { file, allowsJSX: false }).tokens
}

/**
 * Returns the variables to which the imports of a module are assigned, as in `var import_a = require("./a.ts")`.
 */
function findVariables(tokens: readonly ModuleToken[], { target }: ImportCircle): ReadonlySet<string> {
  const targetName = toBaseName(target)
  const found = tokens.flatMap(({ text, depth }, at) => {
    const name = tokens[at - 1]?.text ?? ""
    if (text !== "=" || depth > 0 || !name.startsWith("import_")) return []
    const source = tokens.slice(at, at + 6).find(({ text }) => /^["']/.test(text))?.text ?? ""
    return toBaseName(source.slice(1, -1)) === targetName ? [name] : []
  })
  return new Set(found)
}

function toBaseName(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.[^.]+$/, "")
}

/** Returns true if an export gets its value when the module's statements run. Functions exist before that. */
function isSetOnLoad(tokens: readonly ModuleToken[], name: string): boolean {
  return tokens.some(({ text, depth }, at) => {
    if (text !== name || depth > 0) return false
    return /^(?:const|let|class)$/.test(tokens[at - 1]?.text ?? "") && /^[;}]?$/.test(tokens[at - 2]?.text ?? "")
  })
}

const controlKeyword = /^(?:if|for|while|switch|catch|with|await)$/

/**
 * Returns the names of exports that a module reads through these variables while it is loaded, which means outside
 * functions and classes.
 */
function findUsedNames(tokens: readonly ModuleToken[], variables: ReadonlySet<string>): string[] {
  const names: string[] = []
  const addName = (at: number): void => {
    if (variables.has(tokens[at]?.text ?? "") && tokens[at + 1]?.text === ".") names.push(tokens[at + 2]?.text ?? "")
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as ModuleToken
    const before = tokens[at - 1]?.text ?? ""
    const after = tokens[at + 1]?.text ?? ""
    if (token.text === "function" || token.text === "class") {
      const open = tokens.findIndex(({ text, depth }, index) => index > at && text === "{" && depth === token.depth)
      if (token.text === "class") for (let head = at; head < open; head++) addName(head)
      at = findClosing(tokens, open)
    } else if (token.text === "=>") {
      at = after === "{" ? findClosing(tokens, at + 1) : findEnd(tokens, at, ",", ";") - 1
    } else if (token.text === "(" && isParameterList(tokens, at, before)) at = findClosing(tokens, at)
    else if (token.text === "{" && before === ")" && isMethodBody(tokens, at)) at = findClosing(tokens, at)
    else addName(at)
  }
  return names
}

/** Returns true for the parameters of an arrow function or a method. */
function isParameterList(tokens: readonly ModuleToken[], open: number, before: string): boolean {
  const after = tokens[findClosing(tokens, open) + 1]?.text
  return after === "=>" || (after === "{" && !controlKeyword.test(before))
}

/** Returns true for the body of a method. A statement such as `if` has a block after parentheses too. */
function isMethodBody(tokens: readonly ModuleToken[], at: number): boolean {
  let open = at - 1
  const { depth } = tokens[open] as ModuleToken
  while (open > 0 && !(tokens[open]?.text === "(" && tokens[open]?.depth === depth)) open--
  return !controlKeyword.test(tokens[open - 1]?.text ?? "")
}

/** Returns the index of the next mark at the same depth, or of the bracket that closes before it. */
function findEnd(tokens: readonly ModuleToken[], at: number, ...marks: readonly string[]): number {
  const { depth } = tokens[at] as ModuleToken
  const found = tokens.findIndex(
    (token, index) => index > at && (token.depth < depth || (token.depth === depth && marks.includes(token.text))),
  )
  return found < 0 ? tokens.length : found
}
