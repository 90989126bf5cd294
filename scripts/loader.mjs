/**
 * Lets a Node that cannot run TypeScript run the sources, by `--import` of this file. It removes the types with the same
 * program as newer versions of Node. Every other character keeps its line and column.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { register } from "node:module"
import { fileURLToPath } from "node:url"
import { isMainThread } from "node:worker_threads"

/**
 * The directory with sources whose types were removed, each under the hash of its source. Loading the program that
 * removes types takes longer than a small test.
 */
const getCacheDirectory = new URL("../node_modules/.cache/fw-sources/", import.meta.url)
const root = new URL("..", import.meta.url).href

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!/^file:[^?#]*\.ts(?:[?#]|$)/.test(url)) return next(url, context)
  const text = readFileSync(fileURLToPath(url), "utf8")
  // Sources outside the project are written by tests and change with every run, so keeping them is of no use.
  const source = url.startsWith(root) ? await stripOnce(text, url) : await strip(text, url)
  return { format: "module", source, shortCircuit: true }
}

/** @param {string} text @param {string} url */
async function stripOnce(text, url) {
  const file = new URL(createHash("sha1").update(text).digest("hex"), getCacheDirectory)
  try {
    return readFileSync(file, "utf8")
  } catch {
    const code = await strip(text, url)
    mkdirSync(getCacheDirectory, { recursive: true })
    // Another process may read the file meanwhile, so it gets its name only when it is complete.
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

// This file runs again in the thread of the hooks, where they must not be registered again.
if (isMainThread) register(import.meta.url)
