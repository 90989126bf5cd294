/**
 * Makes Node load the bundles of the package where a test imports the module of an entry: `--import` of this file. So
 * tests that use only entries run on what users run.
 */
import { readFileSync } from "node:fs"
import { type ResolveHook, register } from "node:module"
import { pathToFileURL } from "node:url"
import { isMainThread } from "node:worker_threads"
import { root } from "../tsc.ts"

type Entry = string | { readonly node?: string; readonly default: string }

const url = (path: string) => new URL(path, pathToFileURL(`${root}/`)).href
const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as {
  readonly exports: Readonly<Record<string, Entry>>
}
const bundles = new Map(
  Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "object" && entry.node ? [[url(entry.default), url(entry.node)]] : [],
  ),
)

/** Node's hook. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context)
  return { ...found, url: bundles.get(found.url) ?? found.url }
}

// The hook itself runs in a thread.
if (isMainThread) register(import.meta.url)
