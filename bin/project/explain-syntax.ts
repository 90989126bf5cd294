/**
 * Replaces syntax errors of the scan by esbuild's errors. The scan only counts brackets, so it reports a missing
 * bracket far from where it belongs.
 */
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import type { Loader } from "esbuild"
import type { FwError } from "../../lib/errors.ts"
import { ScanError } from "../../lib/scan.ts"
import { projectFault } from "../messages/project.ts"
import type { Esbuild } from "./esbuild.ts"

/**
 * Runs a scan.
 *
 * @throws FwError as the scan does. Syntax errors are those that {@link explainSyntax} returns.
 */
export async function scanWithSyntax<T>(root: string, scan: () => Promise<T>): Promise<T> {
  try {
    return await scan()
  } catch (error) {
    throw error instanceof ScanError ? new ScanError(await explainSyntax(root, error.problems)) : error
  }
}

/**
 * Checks every file that the scan could not parse with the project's esbuild.
 *
 * @returns the problems with esbuild's messages. If esbuild finds no error or is not installed, the scan's messages
 * stay.
 */
export async function explainSyntax(root: string, problems: readonly FwError[]): Promise<FwError[]> {
  if (!problems.some(({ code }) => code === "syntax")) return [...problems]
  // Loaded only now: it brings the template compiler with it, and most scans find no mistake.
  const { loadEsbuild } = await import("./esbuild.ts")
  const esbuild = await loadEsbuild(root).catch(() => null)
  const results = problems.map((problem) =>
    esbuild && problem.code === "syntax" && problem.at ? findSyntaxErrors(esbuild, root, problem) : [problem],
  )
  return (await Promise.all(results)).flat()
}

async function findSyntaxErrors(esbuild: Esbuild, root: string, problem: FwError): Promise<FwError[]> {
  const file = problem.at?.file as string
  const loader = extname(file).replace(/^\.[cm]?/, "") as Loader
  try {
    await esbuild.transform(await readFile(join(root, file), "utf8"), { loader, logLevel: "silent" })
    return [problem]
  } catch (error) {
    const { isBuildFailure } = await import("./esbuild.ts")
    if (!isBuildFailure(error)) return [problem]
    return error.errors.map(({ text, location }) => {
      const position = location && { line: location.line, column: location.column + 1 }
      return projectFault("syntax.esbuild", [text], { at: { file, ...position } })
    })
  }
}
