/** Downloads the standalone CSS compiler from its release or a mirror, and verifies its digest. */
import { createHash } from "node:crypto"
import type { Io } from "../cli/terminal.ts"
import { cssFault } from "../messages/css.ts"
import { downloadFault } from "../messages/download.ts"
import type { NewFile } from "../system/whole-file.ts"
import { type Bytes, type DownloadLimits, DownloadServer, type DownloadSubject } from "../tools/download.ts"

/** The version of the compiler that fw installs. */
export const cssVersion = "4.0.0"

const officialRelease = `https://github.com/tailwindlabs/tailwindcss/releases/download/v${cssVersion}`

const downloadSubject: DownloadSubject = { what: `the CSS compiler v${cssVersion}`, code: "css_download" }

/** A file of the release, and its SHA-256 if it is known. */
export interface Asset {
  readonly name: string
  readonly sha256?: string
}

type CSSIo = Pick<Io, "env" | "stderr" | "signal">

/**
 * Downloads an asset into a new file.
 *
 * @throws FwError `css_mirror`, `css_download`, `css_digest` or `css_no_digest`. The file may be incomplete then.
 */
export async function downloadAsset(
  asset: Asset,
  file: NewFile,
  io: CSSIo,
  { release, stall }: Partial<DownloadLimits> & { readonly release?: string },
): Promise<void> {
  const base = readBaseURL(io, release)
  const limits = stall === undefined ? undefined : { stall }
  const server = new DownloadServer(base, downloadSubject, io, limits)
  const expectedDigest = await findExpectedDigest(asset, server, io)
  const digest = await server.stream(asset.name, (bytes) => saveBytes(bytes, file))
  if (digest === expectedDigest) return
  throw cssFault("css_digest", [asset.name, digest, expectedDigest, server.formatURL("")])
}

/**
 * Returns the URL of the release, or that of the mirror in `FW_CSS_BASE_URL`. An error shows the mirror's URL without
 * its password and query.
 */
function readBaseURL({ env }: CSSIo, release = officialRelease): URL {
  const text = env.FW_CSS_BASE_URL || release
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    const bare = text.replace(/\/\/[^/]*@/, "//").replace(/[?#].*$/s, "")
    throw cssFault("css_mirror", [bare])
  }
  return new URL(text)
}

async function findExpectedDigest({ name, sha256 }: Asset, server: DownloadServer, { env }: CSSIo): Promise<string> {
  const givenDigest = env.FW_CSS_SHA256?.trim().toLowerCase()
  if (givenDigest) {
    if (/^[0-9a-f]{64}$/.test(givenDigest)) return givenDigest
    throw cssFault("css_no_digest.setting", [givenDigest])
  }
  return (server.href === officialRelease && sha256) || (await fetchListedDigest(server, name))
}

/** Returns the digest of an asset from the list that the server has next to it. */
async function fetchListedDigest(server: DownloadServer, name: string): Promise<string> {
  const list = "sha256sums.txt"
  const { status, text } = await server.fetchText(list)
  for (const line of text.split("\n")) {
    const [, digest, file] = /^\s*([0-9a-f]{64})\s+\*?(?:\.\/)?(\S+)\s*$/i.exec(line) ?? []
    if (digest && file === name) return digest.toLowerCase()
  }
  throw downloadFault("css_no_digest", [name, server.formatURL(list), status])
}

/** Writes the bytes to a new file and returns their SHA-256. */
async function saveBytes(bytes: Bytes, { open }: NewFile): Promise<string> {
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
