/** Type errors in compiled templates, at their positions in the `.tpl`. */

import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { byCodeUnit } from "../../lib/order.ts"
import { type Diagnostic, mapMessages, type OutputMessage } from "../../lib/template/index.ts"
import { startProgram } from "../tools/program.ts"
import { compileFile } from "./templates.ts"

/** Result of a check; `checked` is false if the project has no TypeScript, or no fw of its own. */
export interface TypeCheck {
  readonly checked: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** Options for a project without a `tsconfig.json`. */
const fallback = [
  "--strict",
  "--module",
  "nodenext",
  "--target",
  "es2022",
  "--allowImportingTsExtensions",
  "--skipLibCheck",
]

/** An error line of `tsc --pretty false`. */
const errorLine = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/

/**
 * Runs the project's own `tsc` and keeps only errors in templates; the project's own type check reports the
 * rest.
 *
 * @param outputs the compiled templates, relative to the project.
 */
export async function checkTemplateTypes(
  root: string,
  outputs: readonly string[],
  signal?: AbortSignal,
): Promise<TypeCheck> {
  // The checker does not see the linked copy of fw, but maybe another package with the name.
  const tsc = existsSync(join(root, ".fw/node_modules/fw")) ? null : findTsc(root)
  if (!tsc || outputs.length === 0) return { checked: tsc !== null, diagnostics: [] }
  const config = existsSync(join(root, "tsconfig.json")) ? ["-p", "tsconfig.json"] : [...fallback, ...outputs]
  const args = [tsc, "--noEmit", "--pretty", "false", ...config]
  const order = { program: process.execPath, args, cwd: root, name: "tsc" }
  const { stdout } = await startProgram(signal ? { ...order, signal } : order).ended
  signal?.throwIfAborted()
  return { checked: true, diagnostics: await mapped(root, readErrors(root, stdout)) }
}

function findTsc(root: string): string | null {
  try {
    return join(
      dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")),
      "bin",
      "tsc",
    )
  } catch {
    return null
  }
}

/** Returns the errors in compiled templates, by template. Indented lines belong to the error before them. */
function readErrors(root: string, text: string): Map<string, OutputMessage[]> {
  const errors = new Map<string, OutputMessage[]>()
  let last: { text: string; line: number; column: number; unit: "utf16" } | undefined
  for (const line of text.split(/\r?\n/)) {
    const found = errorLine.exec(line)
    if (!found) {
      if (last && /^\s/.test(line)) last.text += `\n${line}`
      continue
    }
    const [, path = "", row, column, code, message] = found
    last = { text: `${message} (${code})`, line: Number(row), column: Number(column) - 1, unit: "utf16" }
    const file = relative(root, join(root, path)).split(sep).join("/")
    if (!file.endsWith(".tpl.ts") || lacksFw(code, message)) continue
    const template = file.slice(0, -3)
    errors.set(template, [...(errors.get(template) ?? []), last])
  }
  return errors
}

/** Returns true for an error that fw is not installed, which is not one of a template. */
function lacksFw(code = "", message = ""): boolean {
  return code === "TS2307" && /^Cannot find module 'fw(?:\/\w+)?'/.test(message)
}

async function mapped(root: string, errors: Map<string, OutputMessage[]>): Promise<Diagnostic[]> {
  const all: Diagnostic[] = []
  for (const [file, messages] of errors) all.push(...mapMessages(await compileFile(root, file), messages))
  return all.sort((a, b) => byCodeUnit(a.file, b.file) || a.offset - b.offset)
}
