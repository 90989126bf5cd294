/** Downloads the standalone CSS compiler from its release or a mirror, and verifies its digest. */
import { createHash } from "node:crypto"
import type { Io } from "../cli/terminal.ts"
import { cssFault } from "../messages/css.ts"
import { downloadFault } from "../messages/download.ts"
import type { NewFile } from "../system/whole-file.ts"
import { type Bytes, DownloadServer, type Limits, type Subject } from "../tools/download.ts"

/** The version that is installed. */
export const cssVersion = "4.0.0"

const official = `https://github.com/tailwindlabs/tailwindcss/releases/download/v${cssVersion}`

const subject: Subject = { what: `the CSS compiler v${cssVersion}`, code: "css_download" }

/** A file of the release, with its SHA-256 if known. */
export interface Asset {
  readonly name: string
  readonly sha256?: string
}

type CSSIo = Pick<Io, "env" | "stderr" | "signal">

/**
 * Streams an asset into a new file.
 *
 * @throws FwError `css_mirror`, `css_download`, `css_digest` or `css_no_digest`; the file may then be
 * incomplete.
 */
export async function downloadAsset(
  asset: Asset,
  file: NewFile,
  world: CSSIo,
  { release, stall }: Partial<Limits> & { readonly release?: string },
): Promise<void> {
  const base = baseOf(world, release)
  const limits = stall === undefined ? undefined : { stall }
  const server = new DownloadServer(base, subject, world, limits)
  const wanted = await wantedDigest(asset, server, world)
  const digest = await server.stream(asset.name, (bytes) => save(bytes, file))
  if (digest === wanted) return
  throw cssFault("css_digest", [asset.name, digest, wanted, server.shown("")])
}

/** Returns the URL of the release, or that of the mirror in `FW_CSS_BASE_URL`, which may contain a password. */
function baseOf({ env }: CSSIo, release = official): URL {
  const text = env.FW_CSS_BASE_URL || release
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    const bare = text.replace(/\/\/[^/]*@/, "//").replace(/[?#].*$/s, "")
    throw cssFault("css_mirror", [bare])
  }
  return new URL(text)
}

async function wantedDigest(
  { name, sha256 }: Asset,
  server: DownloadServer,
  { env }: CSSIo,
): Promise<string> {
  const given = env.FW_CSS_SHA256?.trim().toLowerCase()
  if (given) {
    if (/^[0-9a-f]{64}$/.test(given)) return given
    throw cssFault("css_no_digest.setting", [given])
  }
  return (server.href === official && sha256) || (await listedDigest(server, name))
}

/** Returns the digest of an asset in the list next to it. */
async function listedDigest(server: DownloadServer, name: string): Promise<string> {
  const list = "sha256sums.txt"
  const { status, text } = await server.text(list)
  for (const line of text.split("\n")) {
    const [, digest, file] = /^\s*([0-9a-f]{64})\s+\*?(?:\.\/)?(\S+)\s*$/i.exec(line) ?? []
    if (digest && file === name) return digest.toLowerCase()
  }
  throw downloadFault("css_no_digest", [name, server.shown(list), status])
}

/** Writes to a new file, and returns the SHA-256. */
async function save(bytes: Bytes, { open }: NewFile): Promise<string> {
  const hash = createHash("sha256")
  const file = await open()
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest("hex")
}
