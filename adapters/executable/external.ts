/**
 * Packages that an executable carries as files. They are written to a private directory, verified, and loaded from
 * there. `fw build` includes this module in executables, and calls of `require` in the bundle lead here.
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

/**
 * The asset `fw/external.json`, which lists the embedded files. Each file is an asset of its own, `external/<path>`.
 */
export interface ExternalFiles {
  /** A text that identifies this set of files. */
  readonly id: string
  readonly files: Readonly<Record<string, ExternalFile>>
}

/** A file of an embedded package. */
export interface ExternalFile {
  /** The digest of the content, in hexadecimal. */
  readonly sha256: string
  /** True if the file is a program that may be started. */
  readonly executable: boolean
}

/** An object with the `require` that the bundle calls. It is declared in the text before the bundle. */
declare const fwInner: { require: ((name: string) => unknown) & { resolve(name: string): string } }

let list: ExternalFiles | undefined
/** Loads modules from the directory with the embedded files. Undefined until the first module is needed. */
let inner: NodeJS.Require | undefined

const outer = module.createRequire(import.meta.url)

fwInner.require = Object.assign((name: string) => requireFor(name)(name), {
  resolve: (name: string) => requireFor(name).resolve(name),
})

/**
 * The type of `module.registerHooks()`. It is written here, because the types of the oldest supported Node do not have
 * it.
 */
type RegisterHooks = (hooks: {
  resolve(name: string, context: { parentURL?: string }, next: (...args: unknown[]) => unknown): unknown
}) => void

// A package may create a `require` for the directory of the executable, where no module of the program is. These hooks
// lead it to the embedded files.
const { registerHooks } = module as unknown as { registerHooks: RegisterHooks }
registerHooks({
  resolve(name, context, next) {
    if (context.parentURL !== import.meta.url || isOutside(name)) return next(name, context)
    return { url: pathToFileURL(requireFor(name).resolve(name)).href, shortCircuit: true }
  },
})

/** Returns true for a module that is not embedded: one of Node's own, or a file with an absolute path. */
function isOutside(name: string): boolean {
  return module.isBuiltin(name) || isAbsolute(name) || name.startsWith("file:")
}

/**
 * Returns the function that can load a module.
 *
 * @throws Error `MODULE_NOT_FOUND` if the module is not embedded; an Error if no directory is writable.
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

/** Returns a directory that belongs to this user and that nobody else may write to. Code is loaded from it. */
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
 * Writes a file if it is missing or differs from the build. The write is atomic, so other processes never load an
 * incomplete file.
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
    // On Windows, a library that is loaded cannot be replaced. If its content is right, another process has written it.
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
