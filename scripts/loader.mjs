/**
 * Runs the sources on a Node that cannot read types, as `--import` of this file. It removes types as newer versions do:
 * with the same program, which leaves every character in its place.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { register } from "node:module"
import { fileURLToPath } from "node:url"
import { isMainThread } from "node:worker_threads"

/** What was removed once is kept, by the hash of the text: loading the program costs more than a small test. */
const cacheDirectory = new URL("../node_modules/.cache/fw-sources/", import.meta.url)
const root = new URL("..", import.meta.url).href

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!/^file:[^?#]*\.ts(?:[?#]|$)/.test(url)) return next(url, context)
  const text = readFileSync(fileURLToPath(url), "utf8")
  // The texts of other directories are those of tests, which change with every run.
  const source = url.startsWith(root) ? await stripOnce(text, url) : await strip(text, url)
  return { format: "module", source, shortCircuit: true }
}

/** @param {string} text @param {string} url */
async function stripOnce(text, url) {
  const file = new URL(createHash("sha1").update(text).digest("hex"), cacheDirectory)
  try {
    return readFileSync(file, "utf8")
  } catch {
    const code = await strip(text, url)
    mkdirSync(cacheDirectory, { recursive: true })
    // Whole or not at all, also for another process that reads it now.
    const partial = new URL(`${file.href}.${process.pid}`)
    writeFileSync(partial, code)
    renameSync(partial, file)
    return code
  }
}

/** @param {string} text @param {string} url */
async function strip(text, url) {
  const { default: swc } = await import("@swc/wasm-typescript")
  return swc.transformSync(text, { mode: "strip-only", filename: url, module: true }).code
}

// The hook runs in a thread.
if (isMainThread) register(import.meta.url)
