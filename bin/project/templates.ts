/** Compiles a project's `.tpl` files to the modules next to them. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Compiled, compile, type Diagnostic, outputPath } from "../../template/index.ts"
import { removeFile, writeIfChanged } from "../system/whole-file.ts"
import { findFiles } from "./find-files.ts"

/** Result of compiling a project's templates. */
export interface CompiledTemplates {
  /** The modules that were written, relative to the project. */
  readonly written: readonly string[]
  /** Modules that were already up to date. */
  readonly unchanged: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Returns all `.tpl` files and all compiled modules of a project, relative to it, in a stable order.
 *
 * @param top the directory to search, relative to the project. Default: the whole project.
 */
export async function findTemplates(root: string, top?: string): Promise<{ sources: string[]; outputs: string[] }> {
  const files = await findFiles(root, (name) => /\.tpl(?:\.ts)?$/.test(name), { top, entersPackages: true })
  return {
    sources: files.filter((file) => file.endsWith(".tpl")),
    outputs: files.filter((file) => file.endsWith(".ts")),
  }
}

/** Reads and compiles one template. */
export async function compileFile(root: string, file: string): Promise<Compiled> {
  return compile(await readFile(join(root, file), "utf8"), file)
}

/**
 * Compiles all templates of a project or a directory. A module that is up to date is not written. A module whose
 * template has errors stays. A module whose template is gone is removed.
 */
export async function compileTemplates(root: string, top?: string): Promise<CompiledTemplates> {
  const { sources, outputs } = await findTemplates(root, top)
  const results = await Promise.all(sources.map((file) => writeTemplate(root, file)))
  const expected = new Set(sources.map(outputPath))
  await Promise.all(outputs.filter((file) => !expected.has(file)).map((file) => removeOutput(root, file)))
  return {
    written: results.filter(({ change }) => change === "written").map(({ output }) => output),
    unchanged: results.filter(({ change }) => change === "unchanged").map(({ output }) => output),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  }
}

interface TemplateResult {
  readonly output: string
  readonly change: "written" | "unchanged" | "none"
  readonly diagnostics: readonly Diagnostic[]
}

/** Compiles one template and writes its module. */
export async function writeTemplate(root: string, file: string): Promise<TemplateResult> {
  const { code, diagnostics } = await compileFile(root, file)
  const output = outputPath(file)
  if (diagnostics.length > 0) return { output, change: "none", diagnostics }
  const isWritten = await writeIfChanged({ root, path: output }, code)
  return { output, change: isWritten ? "written" : "unchanged", diagnostics }
}

/** Removes the module of a deleted template, unless fw did not write it. */
export async function removeOutput(root: string, output: string): Promise<void> {
  const text = await readFile(join(root, output), "utf8").catch(() => "")
  if (isGenerated(text)) await removeFile({ root, path: output })
}

function isGenerated(text: string): boolean {
  return /^\/\/ (?:Generated|Code generated) by fw/.test(text)
}
