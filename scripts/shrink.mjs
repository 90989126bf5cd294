/**
 * Makes compiled programs smaller, because the package has a limit. Comments are removed: declarations and sources, which
 * are in the package too, have them. The command, whose sources are not there, has no white space either.
 */
import { join } from "node:path"
import { filesBelow } from "./common.mjs"

/** Short lines, so that an error shows little more than its own statement. */
export const withoutSpace = { minifyWhitespace: true, lineLimit: 120 }

/** Folders with programs, and what esbuild does with them besides. */
const folders = {
  bin: withoutSpace,
  lib: { sourcemap: /** @type {const} */ ("linked") },
  adapters: { sourcemap: /** @type {const} */ ("linked") },
}

/** @param {string} dist */
export async function shrinkPrograms(dist) {
  const esbuild = await import("esbuild")
  await Promise.all(
    Object.entries(folders).map(([folder, options]) =>
      esbuild.build({
        entryPoints: filesBelow(join(dist, folder))
          .filter((name) => name.endsWith(".js"))
          .map((name) => join(dist, folder, name)),
        outdir: join(dist, folder),
        outbase: join(dist, folder),
        allowOverwrite: true,
        format: "esm",
        target: "esnext",
        charset: "utf8",
        ...options,
        sourcesContent: false,
        logLevel: "error",
      }),
    ),
  )
}
