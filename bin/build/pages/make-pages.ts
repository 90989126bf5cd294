/**
 * Prerenders the routes with `prerender`: bundles the program for this machine's Node, and runs it in a child
 * process.
 */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { deserialize } from "node:v8"
import type { FwError, Location } from "../../../lib/errors.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { Io } from "../../cli/terminal.ts"
import { createTreeRouter } from "../../inspect/tree-router.ts"
import { buildFault } from "../../messages/build.ts"
import { getProgramPath, programFlags } from "../../system/package.ts"
import { withWorkDirectory } from "../../system/whole-directory.ts"
import { runProgram } from "../../tools/program.ts"
import { type BundleJob, bundleProject, type ProductionBundle } from "../bundle.ts"
import { pagesKind } from "../bundle-kinds.ts"
import { getHostMachine, type Machine } from "../executable/node-release.ts"
import type { PageFailure, PageOrder, PageResults } from "./page-answer.ts"

/** The entry module of the program that prerenders pages. */
export const pagesEntryFile = ".fw/entry.pages.ts"

/** Returns true if a project has prerendered routes. */
export function hasPages({ pages, routes }: RouteTree): boolean {
  return [...pages, ...routes].some(({ prerender }) => prerender)
}

/** The prerendered answers, and the bundle that made them. */
export interface PrerenderedPages extends PageResults {
  readonly bundle: ProductionBundle
}

/**
 * Prerenders the answers.
 *
 * @param job the build whose pages are prerendered.
 * @throws FwError `prerender`, which lists every answer that cannot be made, with its place in the source.
 */
export async function makePages(
  job: BundleJob,
  tree: RouteTree,
  io: Pick<Io, "env" | "signal" | "stderr">,
): Promise<PrerenderedPages> {
  const { root, settings } = job
  const results = await withWorkDirectory(root, async (directory) => {
    const path = directory.resolve("pages.mjs")
    const outfile = relative(root, path)
    const bundle = await bundleProject({ ...job, entry: pagesEntryFile, outfile, kind: pagesKind, without: [] })
    const { code, map, external, startImports } = bundle
    await directory.write("pages.mjs", code)
    if (map) await directory.write("pages.mjs.map", map)
    // Node finds packages from the project's directory, but loads an addon from a path next to the bundle.
    for (const { path, source } of external.listNeededFiles(getHostMachine() as Machine, startImports))
      if (path.startsWith("addons/")) await directory.copy(source, path)
    const resultFile = directory.resolve("pages.bin")
    const order: PageOrder = { bundle: path, root, site: settings.site, asksAsVisitor: job.kind === pagesKind }
    await runProgram({
      program: process.execPath,
      args: [
        ...programFlags,
        "--enable-source-maps",
        getProgramPath("bin/build/pages/child"),
        JSON.stringify(order),
        resultFile,
      ],
      cwd: root,
      env: { NODE_ENV: "production", ...io.env },
      signal: io.signal,
      name: "the program, to make its pages,",
      onLine: (line) => io.stderr.write(`${line}\n`),
    })
    return { ...(deserialize(await readFile(resultFile)) as PageResults), bundle }
  })
  const { router } = createTreeRouter(tree)
  const conflicts = results.answers.flatMap(({ path, source }): PageFailure[] => {
    const other = router.find("GET", path)?.route?.source ?? source
    return other === source ? [] : [{ name: "prerender.taken", facts: [path, other], at: { file: source } }]
  })
  const failures = [...results.failures, ...conflicts]
  if (failures.length > 0) throw toFault(root, failures)
  return results
}

/**
 * Returns one error for all failures. A failure that many pages share, such as that of a layout, is listed once.
 */
function toFault(root: string, failures: readonly PageFailure[]): FwError {
  const reportedKeys = new Set<string>()
  const faults = failures.flatMap(({ name, facts, at }) => {
    const key = JSON.stringify([name, at, ...facts.slice(1)])
    if (reportedKeys.has(key)) return []
    reportedKeys.add(key)
    return buildFault(
      name,
      facts as never,
      at.file === "" ? {} : { at: at.line === undefined ? addLine(root, at) : at },
    )
  })
  return faults.length === 1 ? (faults[0] as FwError) : buildFault("prerender.several", [faults], { problems: faults })
}

/** Adds the line of `export const prerender` to a location that has no line. */
function addLine(root: string, { file }: Location): Location {
  const text = readFileSync(join(root, file), "utf8")
  const line = text.split("\n").findIndex((one) => /^\s*export\b.*\bprerender\b/.test(one)) + 1
  return line > 0 ? { file, line } : { file }
}
