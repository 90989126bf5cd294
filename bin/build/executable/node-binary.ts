/**
 * Node programs for building executables: downloaded once from the registry, cached, and verified before
 * every use.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { DownloadIo, Io } from "../../cli/terminal.ts"
import { buildFault } from "../../messages/build.ts"
import { downloadFault } from "../../messages/download.ts"
import type { NewFile } from "../../system/whole-file.ts"
import { cacheDirectory } from "../../tools/cache-directory.ts"
import { cacheProgram } from "../../tools/cached-program.ts"
import { type Bytes, DownloadServer, type Limits, type Subject } from "../../tools/download.ts"
import { type Machine, type NodePackage, nodePackage, nodeVersion, shownMachine } from "./node-release.ts"
import { findRegistry, type Registry } from "./registry.ts"
import { type Unpacked, unpackFile } from "./tarball.ts"

/** A registry and packages for tests. */
export interface NodeSource {
  readonly limits?: Limits
  readonly registry?: (world: DownloadIo) => Promise<Registry>
  readonly packageFor?: (machine: Machine) => NodePackage
}

/** Returns the path of a machine's Node in the cache. */
export function nodePath({ env }: Pick<Io, "env">, machine: Machine): string {
  const name = `node-v${nodeVersion}-${machine.os}-${machine.arch}${machine.os === "windows" ? ".exe" : ""}`
  return join(cacheDirectory(env), "node", name)
}

/**
 * Returns the path of a machine's Node, and installs it if it is missing or damaged.
 *
 * @throws FwError `build_machine`, `node_download`, `node_digest`, `node_cache` or `registry`; no partial
 * file is left then.
 */
export async function ensureNode(
  machine: Machine,
  world: DownloadIo,
  source: NodeSource = {},
): Promise<string> {
  const wanted = (source.packageFor ?? nodePackage)(machine)
  const path = nodePath(world, machine)
  const isThere = async () => (await digestOf(path, world.signal)) === wanted.sha256
  if (await isThere()) return path
  await cacheProgram(path, {
    fetch: (partial) => fetchNode(wanted, partial, machine, world, source),
    isThere,
    refused: (cause) => buildFault("node_cache", [dirname(path), (cause as Error).message], { cause }),
    signal: world.signal,
  })
  return path
}

/** Returns the SHA-256 of a file; null if there is none. */
async function digestOf(path: string, signal: AbortSignal): Promise<string | null> {
  const hash = createHash("sha256")
  try {
    const stream = createReadStream(path, { highWaterMark: 1 << 20, signal })
    for await (const chunk of stream) hash.update(chunk as Buffer)
    return hash.digest("hex")
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}

async function fetchNode(
  wanted: NodePackage,
  partial: NewFile,
  machine: Machine,
  world: DownloadIo,
  source: NodeSource,
): Promise<void> {
  const tarball = `${wanted.name}-${nodeVersion}.tgz`
  const given = world.env.FW_NODE_PACKAGES
  if (given) {
    const file = resolve(world.cwd, given, tarball)
    check(await unpackTo(readGiven(file), wanted.file, partial, file), wanted, file)
    return
  }
  const { base, authorization } = await (source.registry ?? findRegistry)(world)
  const what = `Node ${nodeVersion} for ${shownMachine(machine)}`
  const subject: Subject = { what, code: "node_download" }
  const server = new DownloadServer(base, subject, world, source.limits, authorization)
  const name = `${wanted.name}/-/${tarball}`
  const from = server.shown(name)
  check(await server.stream(name, (bytes) => unpackTo(bytes, wanted.file, partial, from)), wanted, from)
}

async function* readGiven(file: string): Bytes {
  try {
    yield* createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw buildFault("node_download.given", [(cause as Error).message], { cause })
  }
}

/**
 * Unpacks a program.
 *
 * @param from source of the bytes, for messages.
 */
async function unpackTo(bytes: Bytes, name: string, partial: NewFile, from: string): Promise<Unpacked> {
  const file = await partial.open()
  try {
    return await unpackFile(bytes, name, file)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    // An error of zlib: a page of a proxy instead of a package, or a truncated file.
    if (!code?.startsWith("Z_")) throw cause
    throw downloadFault("node_digest.archive", [from, message], { cause })
  } finally {
    await file.close()
  }
}

/** Verifies digests. @throws FwError `node_digest` unless both are the pinned ones. */
function check({ integrity, sha256 }: Unpacked, wanted: NodePackage, from: string): void {
  if (integrity === wanted.integrity && sha256 === wanted.sha256) return
  throw buildFault("node_digest", [from, integrity, wanted.integrity])
}
