/** Checks which environment variables browser code uses. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type ModuleToken, tokenize, toPosition } from "../../lib/scan/tokens.ts"
import { assetFault } from "../messages/assets.ts"
import { type Problem, toProblems } from "../project/problems.ts"

/** Variables that the bundler replaces itself. */
const knownNames = ["NODE_ENV"]

/**
 * Returns a problem for each use of a variable that is not public or has no value.
 *
 * @param files the modules of the bundle, relative to the project.
 * @param variables the public variables.
 */
export function findVariableProblems(root: string, files: readonly string[], variables: object): Problem[] {
  return files.flatMap((file) => {
    if (!/\.(?:[jt]sx?|mjs)$/.test(file) || /(?:^|\/)node_modules\//.test(file)) return []
    const source = readFileSync(join(root, file), "utf8")
    return /\b(?:process|meta)\s*\.\s*env\b/.test(source) ? findInModule(root, file, source, variables) : []
  })
}

function findInModule(root: string, file: string, source: string, variables: object): Problem[] {
  const { tokens } = tokenize(source, { file, allowsJSX: /x$/.test(file) })
  return tokens.flatMap((token, i) => {
    if (token.text !== "env" || tokens[i - 1]?.text !== "." || !/^(?:process|meta)$/.test(tokens[i - 2]?.text ?? ""))
      return []
    const name = findName(tokens, i)
    if (knownNames.includes(name ?? "") || (name !== undefined && Object.hasOwn(variables, name))) return []
    const object = tokens[i - 2]?.text === "process" ? "process.env" : "import.meta.env"
    const fault = name?.startsWith("PUBLIC_") ? "browser.public" : "browser.env"
    const at = { file, ...toPosition(source, tokens[i - 2]?.start ?? token.start) }
    return toProblems(root, assetFault(fault, [name ?? object], { at }))
  })
}

/** Returns the name after `env.`; undefined for `env[name]` and for `env` alone. */
function findName(tokens: readonly ModuleToken[], i: number): string | undefined {
  return tokens[i + 1]?.text === "." ? tokens[i + 2]?.text : undefined
}
