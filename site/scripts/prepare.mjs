/** Makes what the site takes from other folders: pictures of `docs/`, and the program of the playground. */
import { copyFileSync, cpSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { build } from "esbuild"

const require = createRequire(import.meta.url)
const target = "static/playground"

mkdirSync(target, { recursive: true })
cpSync("../docs/pictures", "static/pictures", { recursive: true })
copyFileSync(require.resolve("esbuild-wasm/esbuild.wasm"), `${target}/esbuild.wasm`)

const options = { bundle: true, minify: true, outdir: target, target: "es2022", logLevel: "error" }
await build({
  ...options,
  entryPoints: ["playground/worker.ts"],
  format: "esm",
  splitting: true,
  conditions: ["worker"],
})
await build({ ...options, entryPoints: ["playground/playground.ts"], format: "esm" })
await build({ ...options, entryPoints: ["playground/preview.ts"] })
await build({ ...options, entryPoints: ["assets/site.ts"], outdir: "static/js", format: "esm", splitting: true })
