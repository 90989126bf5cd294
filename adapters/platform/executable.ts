/**
 * `#platform` in an executable made by `fw build`: Node's, with the embedded files. Selected by the condition
 * `fw-executable`.
 */
import { getRawAsset } from "node:sea"
import { fault } from "../../lib/fault.ts"
import type { Platform } from "../../lib/platform.ts"
import { type FilesOf, serveStatic } from "../../lib/static/static.ts"
import { directoryName, type EmbeddedFiles, embeddedSource } from "../executable/embedded.ts"
import { platform as node } from "./node.ts"

/** The asset that lists the static files. Each file is its own asset, `static/<directory>/<path>`. */
const list = "fw/static.json"

let known: EmbeddedFiles | undefined

function bytesOf(asset: string): Uint8Array {
  return new Uint8Array(getRawAsset(asset) as ArrayBuffer)
}

function embedded(): EmbeddedFiles {
  known ??= JSON.parse(new TextDecoder().decode(bytesOf(list))) as EmbeddedFiles
  return known
}

function unscanned(): never {
  throw fault("platform.scan")
}

/** Returns the embedded files of a directory that was known at build time; any other is read from the disk. */
const inside: FilesOf = (dir, embed = true) => {
  const name = embed ? directoryName(dir) : null
  const files = name === null ? undefined : embedded()[name]
  if (!files) return node.files?.(dir, embed) ?? null
  const source = embeddedSource(files, (path) => bytesOf(`static/${name}/${path}`))
  return (segments, request) => serveStatic(source, segments, request)
}

/** Node's platform with the embedded files. */
export const platform: Platform = {
  ...node,
  files: inside,
  scan: async () => unscanned(),
  load: async () => unscanned(),
}
