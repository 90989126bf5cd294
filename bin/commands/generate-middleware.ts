/** `fw generate middleware`: writes a middleware file from a template. */
import { FwError } from "../../lib/errors.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { formatFiles, formatNeeds } from "../generate/result-text.ts"
import { findAppDir, readRoutePath, scanNewFiles } from "../generate/route-paths.ts"
import { middlewareNeeds, type NewSource, readSourceTemplate, writeSource } from "../generate/write-source.ts"
import { fileFault } from "../messages/files.ts"
import { newFault } from "../messages/new.ts"
import type * as specs from "../specs/generate.ts"

/** The file that was written, and the routes for which it runs. */
export interface GenerateMiddlewareData extends NewSource {
  /** The middleware runs for this path and all paths below it. */
  readonly path: string
  /** Name of the function in the file. */
  readonly name: string
  readonly template: string
}

type Options = OptionsOf<typeof specs.middleware>

/**
 * Writes the file.
 *
 * @throws FwError for an invalid name or path, for a conflict, and if the file exists.
 */
export async function run(
  { name, path, template, appDir, force }: Options,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GenerateMiddlewareData> {
  const routeDirectory = await findAppDir({ cwd, appDir })
  const exportName = toFunctionName(name)
  const names = path === "" ? [] : readRoutePath(path)
  const file = [...(routeDirectory === "." ? [] : [routeDirectory]), ...names, "middleware.ts"].join("/")
  const { middleware } = await scanNewFiles(routeDirectory, [{ file, text: "export function Middleware() {}\n" }])
  const pattern = middleware[0]?.path ?? "/"
  const text = (await readSourceTemplate(`middleware/${template}.ts`))
    .replaceAll("exampleMiddleware", exportName)
    .replaceAll("/example and below", pattern === "/" ? "every path" : `${pattern} and below`)
    .replaceAll("at and below /example", pattern === "/" ? "of the application" : `at and below ${pattern}`)
  const result = await addComposeFix(
    writeSource([{ file, text }], middlewareNeeds[template] ?? {}, { cwd, appDir: routeDirectory, force, signal }),
    exportName,
  )
  return { ...result, path: pattern, name: exportName, template }
}

/**
 * Returns the name of the function: `rateLimitMiddleware` for `rate-limit`.
 *
 * @throws FwError `name` for a text that cannot become the name of a function.
 */
function toFunctionName(name: string): string {
  if (!/^[A-Za-z][\w-]*$/.test(name)) throw newFault("name.middleware", [name])
  const camel = name.replace(/[-_]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
  const base = (camel.charAt(0).toLowerCase() + camel.slice(1)).replace(/middleware$/i, "")
  return `${base || "own"}Middleware`
}

/** Adds a fix to the error about an existing middleware file: one file can combine several middlewares. */
async function addComposeFix(result: Promise<NewSource>, functionName: string): Promise<NewSource> {
  try {
    return await result
  } catch (error) {
    if (!(error instanceof FwError) || error.code !== "exists") throw error
    const at = error.at ? { at: error.at } : {}
    throw fileFault("exists.middleware", [error.message, error.fix, functionName], at)
  }
}

/** Returns the file, the routes for which it runs, and the steps that remain. */
export function print(data: GenerateMiddlewareData, view: View): string {
  const { path, template, name } = data
  const scopeLine = `  It wraps every route at and below ${path}.\n`
  const templateName = /^(auth|logging|timing|cors)Middleware$/.exec(name)?.[1]
  const hint =
    templateName && template === "blank"
      ? `  It does nothing yet. Use --template ${templateName} for one that does.\n`
      : ""
  return formatFiles(data, view) + scopeLine + hint + formatNeeds(data, view)
}
