/**
 * Packages that an executable carries as files. They are written to a private directory, and loaded from there.
 * `fw build` includes this module in executables, and calls of `require` in the bundle lead here.
 */
import { lstatSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import * as module from "node:module"
import { tmpdir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { getRawAsset } from "node:sea"
import { pathToFileURL } from "node:url"
import { getCacheHome } from "../disk/cache-home.ts"
import { makeDirectory } from "../shared/make-directory.ts"

/**
 * The asset `fw/external.json`: the list of embedded files. Their bytes are one asset, `fw/external`, in the order of the list,
 * because Node reads a part of each asset at the start of a program, and copies its list of all assets to find one.
 */
export interface ExternalFiles {
  /** A text that identifies this set of files with their contents. */
  readonly id: string
  readonly files: Readonly<Record<string, ExternalFile>>
}

/** A file of an embedded package. */
export interface ExternalFile {
  /** In bytes. */
  readonly size: number
  /** True if the file is a program that may be started. */
  readonly executable: boolean
}

/** An object with the `require` that the bundle calls. `fw build` declares it in the text before the bundle. */
declare const fwInner: { require: ((name: string) => unknown) & { resolve(name: string): string } }

let externalFiles: ExternalFiles | undefined
/** Loads modules from the directory with the embedded files. Undefined until the first module is needed. */
let requireEmbedded: NodeJS.Require | undefined

const requireOther = module.createRequire(import.meta.url)

fwInner.require = Object.assign((name: string) => selectRequire(name)(name), {
  resolve: (name: string) => selectRequire(name).resolve(name),
})

/**
 * The type of `module.registerHooks()`. It is written here, because the types of the oldest supported Node do not have
 * it.
 */
type RegisterHooks = (hooks: {
  resolve(name: string, context: { parentURL?: string }, next: (...args: unknown[]) => unknown): unknown
}) => void

// A package may create a `require` for the directory of the executable, where no module of the program is. These hooks
// make that `require` find the embedded files.
const { registerHooks } = module as unknown as { registerHooks: RegisterHooks }
registerHooks({
  resolve(name, context, next) {
    if (context.parentURL !== import.meta.url || isOutside(name)) return next(name, context)
    return { url: pathToFileURL(selectRequire(name).resolve(name)).href, shortCircuit: true }
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
function selectRequire(name: string): NodeJS.Require {
  if (isOutside(name)) return requireOther
  externalFiles ??= JSON.parse(Buffer.from(readAsset("fw/external.json")).toString()) as ExternalFiles
  const [packageName] = /^(?:@[^/]+\/)?[^/]*/.exec(name) ?? []
  const prefix = name.startsWith("./") ? name.slice(2) : `node_modules/${packageName}/`
  if (!Object.keys(externalFiles.files).some((path) => path.startsWith(prefix))) throw createMissingError(name)
  requireEmbedded ??= module.createRequire(join(unpack(externalFiles), "index.js"))
  return requireEmbedded
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
      const bytes = readAsset("fw/external")
      let start = 0
      for (const [path, file] of Object.entries(files)) {
        ensureFile(join(target, path), bytes.subarray(start, start + file.size), file)
        start += file.size
      }
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
  const stats = lstatSync(path)
  const isOwn = user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0)
  if (!stats.isDirectory() || !isOwn) throw new Error(`others may write to ${path}`)
  return path
}

/**
 * Writes a file if it is missing, or has another size than in the build. The write is atomic, so other processes never load
 * an incomplete file. Contents are not compared, because a program may have ten thousand files.
 */
function ensureFile(target: string, bytes: Uint8Array, { executable }: ExternalFile): void {
  const hasSize = () => statSync(target, { throwIfNoEntry: false })?.size === bytes.length
  if (hasSize()) return
  makeDirectory(dirname(target), { mode: 0o700 })
  const partial = `${target}.${process.pid}.partial`
  try {
    writeFileSync(partial, bytes, { mode: executable ? 0o700 : 0o600 })
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    // On Windows, a library that is loaded cannot be replaced. Another process has written it.
    if (!hasSize()) throw error
  }
}
