/**
 * Node programs for building executables: downloaded once from the registry, cached, and verified before
 * every use.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import type { DownloadIo, Io } from "../../cli/terminal.ts"
import { buildFault } from "../../messages/build.ts"
import { findInTar } from "../../system/tar.ts"
import type { NewFile } from "../../system/whole-file.ts"
import { getCacheDirectory } from "../../tools/cache-directory.ts"
import { cacheProgram } from "../../tools/cached-program.ts"
import { type Bytes, type DownloadLimits, DownloadServer, type DownloadSubject } from "../../tools/download.ts"
import { findNodePackage, formatMachine, type Machine, type NodePackage, nodeVersion } from "./node-release.ts"
import { findRegistry, type Registry } from "./registry.ts"

/** The sources of a download, which tests replace. */
export interface NodeSource {
  readonly limits?: DownloadLimits
  readonly registry?: (world: DownloadIo) => Promise<Registry>
  readonly findPackage?: (machine: Machine) => NodePackage
}

/** Returns the path of a machine's Node in the cache. */
export function getNodePath({ env }: Pick<Io, "env">, machine: Machine): string {
  const name = `node-v${nodeVersion}-${machine.os}-${machine.arch}${machine.os === "windows" ? ".exe" : ""}`
  return join(getCacheDirectory(env), "node", name)
}

/**
 * Returns the path of a machine's Node. Downloads it if it is missing or damaged.
 *
 * @throws FwError `build_machine`, `node_download`, `node_digest`, `node_cache` or `registry`. No partial file is
 * left then.
 */
export async function ensureNode(machine: Machine, io: DownloadIo, source: NodeSource = {}): Promise<string> {
  const nodePackage = (source.findPackage ?? findNodePackage)(machine)
  const path = getNodePath(io, machine)
  const isInstalled = async () => (await hashFile(path, io.signal)) === nodePackage.sha256
  if (await isInstalled()) return path
  await cacheProgram(path, {
    fetch: (partial) => fetchNode(nodePackage, partial, machine, io, source),
    isInstalled,
    toWriteError: (cause) => buildFault("node_cache", [dirname(path), (cause as Error).message], { cause }),
    signal: io.signal,
  })
  return path
}

/** Returns the SHA-256 of a file; null if the file does not exist. */
async function hashFile(path: string, signal: AbortSignal): Promise<string | null> {
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
  nodePackage: NodePackage,
  partial: NewFile,
  machine: Machine,
  io: DownloadIo,
  source: NodeSource,
): Promise<void> {
  const tarball = `${nodePackage.name}-${nodeVersion}.tgz`
  const givenDirectory = io.env.FW_NODE_PACKAGES
  if (givenDirectory) {
    const file = resolve(io.cwd, givenDirectory, tarball)
    return unpackNode(await collectBytes(readGivenPackage(file)), nodePackage, partial, file)
  }
  const { base, authorization } = await (source.registry ?? findRegistry)(io)
  const release = `Node ${nodeVersion} for ${formatMachine(machine)}`
  const subject: DownloadSubject = { what: release, code: "node_download" }
  const server = new DownloadServer(base, subject, io, source.limits, authorization)
  const name = `${nodePackage.name}/-/${tarball}`
  await unpackNode(await server.stream(name, collectBytes), nodePackage, partial, server.formatURL(name))
}

async function* readGivenPackage(file: string): Bytes {
  try {
    yield* createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw buildFault("node_download.given", [(cause as Error).message], { cause })
  }
}

async function collectBytes(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Extracts Node from its package, after a check of both digests.
 *
 * @param sourceName names the source of the package in messages.
 * @throws FwError `node_digest` if a digest is not the pinned one.
 */
async function unpackNode(
  tarball: Buffer,
  { integrity, sha256, file }: NodePackage,
  partial: NewFile,
  sourceName: string,
): Promise<void> {
  const foundIntegrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
  const node = foundIntegrity === integrity ? findInTar(gunzipSync(tarball), `package/${file}`) : undefined
  if (!node || createHash("sha256").update(node).digest("hex") !== sha256)
    throw buildFault("node_digest", [sourceName, foundIntegrity, integrity])
  await partial.write(node)
}
