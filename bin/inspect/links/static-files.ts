/** Finds the static directories of a project and their files. */
import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { encodePath } from "../../../lib/path.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { isFileName } from "../../../lib/static/file-names.ts"
import { findStaticDirOption } from "../../project/static-dir.ts"
import type { Registered } from "./registered.ts"

/** A static directory. */
export interface StaticDirectory {
  readonly prefix: string
  readonly dir: string
  /** How the directory is chosen: by a call, by the option `staticDir`, by default, or by code that computes it. */
  readonly by: "call" | "option" | "default" | "code"
  /** False if the files change while the program runs. */
  readonly isEmbedded: boolean
}

/** A static directory with the URL paths of its files. */
export interface StaticFiles extends StaticDirectory {
  readonly paths: readonly string[]
}

/**
 * Reads the static directories that exist.
 *
 * @param registered the directories that `main.ts` registers.
 */
export function readStaticFiles(
  root: string,
  main: ModuleText | null,
  registered: Registered["directories"],
): Promise<StaticFiles[]> {
  return Promise.all(
    findStaticDirectories(root, main, registered).map(async (one) => ({
      ...one,
      paths: await listStaticPaths(root, one),
    })),
  )
}

/** Returns the static directories that exist: those of `main.ts` and the default one. */
export function findStaticDirectories(
  root: string,
  main: ModuleText | null,
  registered: Registered["directories"],
): StaticDirectory[] {
  const option = main ? findStaticDirOption(main.tokens) : undefined
  const by = option === undefined ? "default" : option.dir === undefined ? "code" : "option"
  const defaultDirectory = { prefix: "/static", dir: option?.dir ?? "static", by, isEmbedded: true } as const
  // The app does not serve the default directory if another one has its prefix.
  const isTaken = by === "default" && registered.some(({ prefix }) => isBelow("/static", prefix))
  const all = [...(isTaken ? [] : [defaultDirectory]), ...registered.map((one) => ({ ...one, by: "call" as const }))]
  return all.filter(({ dir }) => existsSync(join(root, dir))).sort((a, b) => b.prefix.length - a.prefix.length)
}

/** Returns the URL paths of the files in a static directory; none if it does not exist. */
async function listStaticPaths(
  root: string,
  { dir, prefix }: { readonly dir: string; readonly prefix: string },
): Promise<string[]> {
  const start = join(root, dir)
  const found = await readdir(start, { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(start.length + 1)
        .split(/[\\/]/),
    )
    .filter((names) => names.every(isFileName))
    .map((names) => `${prefix.replace(/\/$/, "")}/${encodePath(names.join("/"))}`)
    .sort()
}

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`)
}
