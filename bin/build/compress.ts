/** Compresses the files that browsers load once during the build, instead of for every request. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { compareByCodeUnit } from "../../lib/order.ts"
import { findMediaType, isPackedType } from "../../lib/static/media-types.ts"
import { mapSeveral } from "../system/map-several.ts"
import { createStaticFile, type StaticDirectory, type StaticFile } from "./static-files.ts"

/** Smaller files are not compressed: a network would not notice the difference. */
const minBytes = 1024
/** Larger files are compressed with a lower quality, because the best one would take seconds. */
const maxBestBytes = 1024 * 1024
/** A compressed copy is kept only if its size is below this part of the file's size. */
const maxRatio = 0.95
/** How many files are compressed at once. Node uses four threads for this. */
const threadCount = 4

const compressors = {
  ".br": (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length > maxBestBytes ? 9 : 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  ".gz": (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
} as const

/** Adds compressed copies of the files. A copy that the directory contains already is kept. */
export async function addCompressedFiles(directories: readonly StaticDirectory[]): Promise<StaticDirectory[]> {
  return Promise.all(
    directories.map(async (directory) => {
      const copies = await compressFiles(directory.files)
      const files = [...directory.files, ...copies].sort((a, b) => compareByCodeUnit(a.path, b.path))
      return { ...directory, files }
    }),
  )
}

async function compressFiles(files: readonly StaticFile[]): Promise<StaticFile[]> {
  const existingPaths = new Set(files.map(({ path }) => path))
  const jobs = files.flatMap((file) => {
    if (file.bytes.length <= minBytes || isPacked(file.path)) return []
    const endings = (Object.keys(compressors) as (keyof typeof compressors)[]).filter(
      (ending) => !existingPaths.has(file.path + ending),
    )
    return endings.map((ending) => ({ file, ending }))
  })
  const copies = await mapSeveral(jobs, threadCount, async ({ file, ending }) => {
    const bytes = await compressors[ending](file.bytes)
    return bytes.length < file.bytes.length * maxRatio ? [createStaticFile(file.path + ending, bytes)] : []
  })
  return copies.flat()
}

function isPacked(path: string): boolean {
  return /\.(?:br|gz)$/.test(path) || isPackedType(findMediaType(path))
}
