/**
 * Packages with native code in an executable: written to a private directory, verified, and required from
 * there. `fw build` bundles this into executables.
 */
import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { getRawAsset } from "node:sea"
import { cacheHome } from "../disk/cache-home.ts"

/** The asset `fw/native.json`: the list of embedded files. Each file is its own asset, `native/<path>`. */
export interface NativeFiles {
  /** Identifies this set of files. */
  readonly id: string
  readonly files: Readonly<Record<string, NativeFile>>
}

/** A file of a package. */
export interface NativeFile {
  /** In hexadecimal. */
  readonly sha256: string
  /** True for a program. */
  readonly executable: boolean
}

let directory: string | undefined

/**
 * Requires a module that is not in the bundle.
 *
 * @param from the directory from which the specifier is resolved, in the layout of the embedded files.
 * @throws Error if no directory is writable.
 */
export function requireNative(from: string, specifier: string): unknown {
  directory ??= unpack()
  return createRequire(join(directory, from, "index.js"))(specifier)
}

function unpack(): string {
  const list = JSON.parse(Buffer.from(assetBytes("fw/native.json")).toString()) as NativeFiles
  const places = [cacheHome(process.env), tmpdir()]
  const reasons: string[] = []
  for (const place of places) {
    try {
      const target = join(privateDirectory(place), list.id)
      for (const [path, file] of Object.entries(list.files)) ensureFile(join(target, path), path, file)
      return target
    } catch (error) {
      reasons.push((error as Error).message)
    }
  }
  throw new Error(
    `the packages with native code in this program cannot be unpacked (${reasons.join("; ")}): ` +
      "set XDG_CACHE_HOME to a directory that this user may write to",
  )
}

function assetBytes(key: string): Uint8Array {
  return new Uint8Array(getRawAsset(key) as ArrayBuffer)
}

/** Returns a directory for code to load, which belongs to this user and which nobody else may write to. */
function privateDirectory(place: string): string {
  const user = process.getuid?.()
  const path = join(place, user === undefined ? "fw-native" : `fw-native-${user}`)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  const own = user === undefined || (found.uid === user && (found.mode & 0o022) === 0)
  if (!found.isDirectory() || !own) throw new Error(`others may write to ${path}`)
  return path
}

/**
 * Writes a file that is missing or differs from the build; atomically, so that other processes never load a
 * part of it.
 */
function ensureFile(target: string, path: string, { sha256, executable }: NativeFile): void {
  if (digestOf(target) === sha256) return
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const partial = `${target}.${process.pid}.partial`
  try {
    writeFileSync(partial, assetBytes(`native/${path}`), { mode: executable ? 0o700 : 0o600 })
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    // Windows cannot replace a library that is loaded: another process was first.
    if (digestOf(target) !== sha256) throw error
  }
}

function digestOf(file: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}
