/** `fw generate proxy`: writes the proxy file from a template. */
import { lstat } from "node:fs/promises"
import { join } from "node:path"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import type { NewFile } from "../generate/files.ts"
import { formatFiles, formatNeeds } from "../generate/result-text.ts"
import { findAppDir } from "../generate/route-paths.ts"
import { type NewSource, proxyNeeds, readSourceTemplate, writeSource } from "../generate/write-source.ts"
import type * as specs from "../specs/generate.ts"

/** The files that were written. */
export interface GenerateProxyData extends NewSource {
  readonly template: string
}

/** Modules that a template imports and that are written with it. */
const helperFiles: Readonly<Record<string, string>> = { "auth-check": "_lib/sessions.ts" }

/**
 * Writes `proxy.ts`.
 *
 * @throws FwError if the file exists or package.json cannot be read.
 */
export async function run(
  { template, appDir, force }: OptionsOf<typeof specs.proxy>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GenerateProxyData> {
  const routeDirectory = await findAppDir({ cwd, appDir })
  const toFile = (name: string) => (routeDirectory === "." ? name : `${routeDirectory}/${name}`)
  const files: NewFile[] = [{ file: toFile("proxy.ts"), text: await readSourceTemplate(`proxy/${template}.ts`) }]
  const helper = helperFiles[template]
  // An existing module may contain the project's own code, so it is kept.
  if (helper && !(await lstat(join(cwd, toFile(helper))).catch(() => null)))
    files.push({ file: toFile(helper), text: await readSourceTemplate(`proxy/${helper}`) })
  const result = await writeSource(files, proxyNeeds[template] ?? {}, { cwd, appDir: routeDirectory, force, signal })
  return { ...result, template }
}

/** Returns the files and the steps that remain. */
export function print(data: GenerateProxyData, view: View): string {
  const loginNote =
    data.template === "auth-check"
      ? "\nAll paths but publicPaths need a login now, and so do tests that request them: add the paths that anyone may see.\n"
      : ""
  return formatFiles(data, view) + formatNeeds(data, view) + loginNote
}
