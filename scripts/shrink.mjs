/**
 * Makes compiled programs smaller, because the package has a limit. Comments are removed: declarations and sources, which
 * are in the package too, have them. The explorer and the compiler of templates, which no program of a user steps through, have no
 * white space and short local names. Source maps know lines, not columns: a line of a program comes from one line of its source, and columns are four fifths of a map.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { filesBelow } from "./common.mjs"

/** Long lines and short names of variables: only their own stack traces show them. */
const smallest = { minify: true, lineLimit: 500 }

const mapped = { sourcemap: /** @type {const} */ ("linked") }

/** Folders with programs, and what esbuild does with them besides. The first that has a program counts. */
const folders = { explorer: smallest, "lib/template": smallest, lib: mapped, adapters: mapped }

/** @param {string} name of a program in `dist` */
const folderOf = (name) => Object.keys(folders).find((folder) => name.startsWith(`${folder}/`))

/** @param {string} dist */
export async function shrinkPrograms(dist) {
  const esbuild = await import("esbuild")
  const programs = filesBelow(dist).filter((name) => name.endsWith(".js"))
  await Promise.all(
    Object.entries(folders).map(([folder, options]) =>
      esbuild.build({
        entryPoints: programs.filter((name) => folderOf(name) === folder).map((name) => join(dist, name)),
        outdir: dist,
        outbase: dist,
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
  // Loaded here, because a fresh clone has no packages yet when this module is loaded.
  const codec = await import("@jridgewell/sourcemap-codec")
  for (const name of programs) {
    const folder = folderOf(name)
    if (folder === "lib" || folder === "adapters") keepLines(join(dist, `${name}.map`), codec)
    // TypeScript has written it, and the program no longer names it.
    else if (folder === "lib/template") rmSync(join(dist, `${name}.map`), { force: true })
  }
}

/**
 * Keeps the first mapping of each line of a source map.
 *
 * @param {string} file
 * @param {typeof import("@jridgewell/sourcemap-codec")} codec
 */
function keepLines(file, { decode, encode }) {
  const map = JSON.parse(readFileSync(file, "utf8"))
  const lines = decode(map.mappings).map((segments) =>
    segments.filter(({ length }) => length > 1).slice(0, 1),
  )
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(lines.map(withoutNames)) }))
}

/** @param {import("@jridgewell/sourcemap-codec").SourceMapSegment[]} segments */
function withoutNames(segments) {
  return segments.map(
    ([column, source = 0, line = 0, sourceColumn = 0]) =>
      /** @type {import("@jridgewell/sourcemap-codec").SourceMapSegment} */ ([
        column,
        source,
        line,
        sourceColumn,
      ]),
  )
}
