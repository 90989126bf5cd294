/**
 * Copies what the site needs from other folders: the pictures of `docs/`, and the compiler and the worker of the playground.
 * The worker is bundled here, because fw cannot be bundled into an app's code for the browser, where apps do not need it.
 */
import { copyFileSync, cpSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { build } from "esbuild"

const target = "assets/playground"

mkdirSync(target, { recursive: true })
cpSync("../docs/pictures", "static/pictures", { recursive: true })
copyFileSync(createRequire(import.meta.url).resolve("esbuild-wasm/esbuild.wasm"), `${target}/esbuild.wasm`)
await build({
  entryPoints: ["playground/worker.ts"],
  outdir: target,
  bundle: true,
  format: "esm",
  conditions: ["worker"],
  target: "es2022",
  logLevel: "error",
})
