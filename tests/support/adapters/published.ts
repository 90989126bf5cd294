/** Bundles programs of the tests so that they run on the published package: what they import of fw is what users get. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { build, type Plugin } from "esbuild"
import { publicEntries } from "../docs/public-api.ts"
import { root } from "../tsc.ts"

const entries = new Map([...publicEntries()].map(([name, source]) => [join(root, source), name]))

/** Resolves the source of an entry to the entry of the package. */
export const published: Plugin = {
  name: "published",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
      const file = join(resolveDir, path)
      const name = entries.get(file)
      if (name) return build.resolve(name, { resolveDir: root, kind })
      if (!/^(?:lib|template|adapters)[/\\]/.test(relative(root, file))) return undefined
      return { errors: [{ text: `The package has no entry for ${file}. Import one of its entries.` }] }
    })
  },
}

/** Makes one file of JavaScript of a program, for a runtime that finds the package in `node_modules`. Returns its path. */
export async function bundleProgram(source: string): Promise<string> {
  mkdirSync(join(root, ".fw"), { recursive: true })
  const directory = mkdtempSync(join(root, ".fw", "program-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  const outfile = join(directory, basename(source).replace(/ts$/, "mjs"))
  await build({
    entryPoints: [join(root, source)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    packages: "external",
    plugins: [published],
    logLevel: "silent",
  })
  return outfile
}
