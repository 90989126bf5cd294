/**
 * `#platform` in an executable that `fw build` has made. It is that of Node with the embedded files. The package
 * condition `fw-executable` selects it.
 */
import { getRawAsset } from "node:sea"
import { fault } from "../../lib/errors/fault.ts"
import type { Platform } from "../../lib/platform.ts"
import { createStaticHandler, type FindFiles } from "../../lib/static/serve-static.ts"
import { createEmbeddedSource, type EmbeddedFiles, normalizeDirectory } from "../executable/embedded.ts"
import { platform as node } from "./node.ts"

/** The asset that lists the static files. Each file is an asset of its own, `static/<directory>/<path>`. */
const staticListAsset = "fw/static.json"

let embeddedFiles: EmbeddedFiles | undefined

function readAsset(asset: string): Uint8Array {
  return new Uint8Array(getRawAsset(asset) as ArrayBuffer)
}

function getEmbeddedFiles(): EmbeddedFiles {
  embeddedFiles ??= JSON.parse(new TextDecoder().decode(readAsset(staticListAsset))) as EmbeddedFiles
  return embeddedFiles
}

function refuseScan(): never {
  throw fault("platform.scan")
}

/**
 * Returns the embedded files of a directory that was known at build time. Any other directory is read from the disk.
 */
const findEmbeddedFiles: FindFiles = (dir, embed = true) => {
  const name = embed ? normalizeDirectory(dir) : null
  const files = name === null ? undefined : getEmbeddedFiles()[name]
  if (!files) return node.files?.(dir, embed) ?? null
  return createStaticHandler(createEmbeddedSource(files, (path) => readAsset(`static/${name}/${path}`)))
}

/** The platform of Node with the embedded files. */
export const platform: Platform = {
  ...node,
  files: findEmbeddedFiles,
  scan: async () => refuseScan(),
  load: async () => refuseScan(),
}
