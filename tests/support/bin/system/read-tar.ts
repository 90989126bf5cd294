/** Reads a packed package, to compare it with its sources. */
import { gunzipSync } from "node:zlib"
import type { PackageFile } from "../../../../bin/system/tar.ts"

/** Returns the files of an npm tarball, without their first directory. */
export function readTar(tarball: Uint8Array): PackageFile[] {
  const tar = gunzipSync(tarball)
  const files: PackageFile[] = []
  for (let at = 0; tar[at] !== 0; ) {
    const text = (from: number, to: number) => tar.toString("utf8", at + from, at + to).replace(/\0.*$/s, "")
    const [name, prefix] = [text(0, 100), text(345, 500)]
    const size = Number.parseInt(text(124, 136), 8)
    const start = at + 512
    files.push({
      path: `${prefix === "" ? "" : `${prefix}/`}${name}`.replace(/^[^/]*\//, ""),
      bytes: tar.subarray(start, start + size),
      executable: (Number.parseInt(text(100, 108), 8) & 0o111) !== 0,
    })
    at = start + Math.ceil(size / 512) * 512
  }
  return files
}
