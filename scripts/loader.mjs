/**
 * Runs the sources on a Node that cannot read types, as `--import` of this file. It removes types as newer versions do:
 * with the same program, which leaves every character in its place.
 */
import { readFileSync } from "node:fs"
import { register } from "node:module"
import { fileURLToPath } from "node:url"
import { isMainThread } from "node:worker_threads"

// The hook runs in a thread.
const swc = isMainThread ? undefined : (await import("@swc/wasm-typescript")).default

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!/^file:[^?#]*\.ts(?:[?#]|$)/.test(url)) return next(url, context)
  const text = readFileSync(fileURLToPath(url), "utf8")
  const { code } = swc.transformSync(text, { mode: "strip-only", filename: url, module: true })
  return { format: "module", source: code, shortCircuit: true }
}

if (isMainThread) register(import.meta.url)
