import { basename, join, relative } from "node:path"
import { build, type Plugin } from "esbuild"
import { makeCheckoutDirectory } from "../checkout-directory.ts"
import { publicEntries } from "../docs/public-api.ts"
import { root } from "../tsc.ts"

const entries = new Map([...publicEntries()].map(([name, source]) => [join(root, source), name]))

/** Replaces imports of an entry's source by imports of the package's entry. */
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

/**
 * Bundles a program into one JavaScript file, for a runtime that finds the package in `node_modules`. Returns its
 * path.
 */
export async function bundleProgram(source: string): Promise<string> {
  const directory = makeCheckoutDirectory("program")
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
