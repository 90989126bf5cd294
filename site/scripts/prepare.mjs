/**
 * Makes what the site takes from other folders: the pictures of `docs/`, the compiler of the playground, and its worker.
 * The worker is bundled here, because fw refuses itself in code for the browser, where an app has no use for it.
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
