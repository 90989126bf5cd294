/**
 * Packages that are files in an executable: written to a private directory, verified, and required from there. `fw build`
 * bundles this into executables, and calls of `require` in the bundle end here.
 */
import { createHash } from "node:crypto"
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import * as module from "node:module"
import { tmpdir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { getRawAsset } from "node:sea"
import { pathToFileURL } from "node:url"
import { getCacheHome } from "../disk/cache-home.ts"
import { makeDirectory } from "../shared/make-directory.ts"

/** The asset `fw/external.json`: the list of embedded files. Each file is its own asset, `external/<path>`. */
export interface ExternalFiles {
  /** Identifies this set of files. */
  readonly id: string
  readonly files: Readonly<Record<string, ExternalFile>>
}

/** A file of a package. */
export interface ExternalFile {
  /** In hexadecimal. */
  readonly sha256: string
  /** True for a program. */
  readonly executable: boolean
}

/** Holds the function that `require` calls in the bundle. The text before the bundle declares it. */
declare const fwInner: { require: ((name: string) => unknown) & { resolve(name: string): string } }

let list: ExternalFiles | undefined
/** Requires from the directory of the embedded files; undefined before a module in it is needed. */
let inner: NodeJS.Require | undefined

const outer = module.createRequire(import.meta.url)

fwInner.require = Object.assign((name: string) => requireFor(name)(name), {
  resolve: (name: string) => requireFor(name).resolve(name),
})

/** The part of `module.registerHooks()` that is used. Its types are those of newer versions than the oldest that fw runs on. */
type RegisterHooks = (hooks: {
  resolve(name: string, context: { parentURL?: string }, next: (...args: unknown[]) => unknown): unknown
}) => void

// A package can create its own `require` for the directory of the executable. Nothing in that directory belongs to the program.
const { registerHooks } = module as unknown as { registerHooks: RegisterHooks }
registerHooks({
  resolve(name, context, next) {
    if (context.parentURL !== import.meta.url || isOutside(name)) return next(name, context)
    return { url: pathToFileURL(requireFor(name).resolve(name)).href, shortCircuit: true }
  },
})

/** Returns true for a module that is not embedded: one of Node's, or a file with its whole path. */
function isOutside(name: string): boolean {
  return module.isBuiltin(name) || isAbsolute(name) || name.startsWith("file:")
}

/**
 * Returns the function that loads a module.
 *
 * @throws Error `MODULE_NOT_FOUND` if it is not embedded; an Error if no directory is writable.
 */
function requireFor(name: string): NodeJS.Require {
  if (isOutside(name)) return outer
  list ??= JSON.parse(Buffer.from(readAsset("fw/external.json")).toString()) as ExternalFiles
  const [owner] = /^(?:@[^/]+\/)?[^/]*/.exec(name) ?? []
  const start = name.startsWith("./") ? name.slice(2) : `node_modules/${owner}/`
  if (!Object.keys(list.files).some((path) => path.startsWith(start))) throw createMissingError(name)
  inner ??= module.createRequire(join(unpack(list), "index.js"))
  return inner
}

function createMissingError(name: string): Error {
  const fix = 'Add its package to "external" in the "fw" of package.json, and build again'
  return Object.assign(new Error(`Cannot find module '${name}': it is not in this executable. ${fix}`), {
    code: "MODULE_NOT_FOUND",
  })
}

function unpack({ id, files }: ExternalFiles): string {
  const parentDirectories = [getCacheHome(process.env), tmpdir()]
  const reasons: string[] = []
  for (const parent of parentDirectories) {
    try {
      const target = join(makePrivateDirectory(parent), id)
      for (const [path, file] of Object.entries(files)) ensureFile(join(target, path), path, file)
      return target
    } catch (error) {
      reasons.push((error as Error).message)
    }
  }
  throw new Error(
    `the packages in this program cannot be unpacked (${reasons.join("; ")}): ` +
      "set XDG_CACHE_HOME to a directory that this user may write to",
  )
}

function readAsset(key: string): Uint8Array {
  return new Uint8Array(getRawAsset(key) as ArrayBuffer)
}

/** Returns a directory for code to load, which belongs to this user and which nobody else may write to. */
function makePrivateDirectory(parent: string): string {
  const user = process.getuid?.()
  const path = join(parent, user === undefined ? "fw-packages" : `fw-packages-${user}`)
  makeDirectory(path, { mode: 0o700 })
  const found = lstatSync(path)
  const own = user === undefined || (found.uid === user && (found.mode & 0o022) === 0)
  if (!found.isDirectory() || !own) throw new Error(`others may write to ${path}`)
  return path
}

/**
 * Writes a file that is missing or differs from the build; atomically, so that other processes never load a
 * part of it.
 */
function ensureFile(target: string, path: string, { sha256, executable }: ExternalFile): void {
  if (hashFile(target) === sha256) return
  makeDirectory(dirname(target), { mode: 0o700 })
  const partial = `${target}.${process.pid}.partial`
  try {
    writeFileSync(partial, readAsset(`external/${path}`), { mode: executable ? 0o700 : 0o600 })
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    // Windows cannot replace a library that is loaded. If its content is right, another process has written it first.
    if (hashFile(target) !== sha256) throw error
  }
}

function hashFile(file: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}
