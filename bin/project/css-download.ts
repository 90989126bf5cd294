/** Downloads the standalone CSS compiler from its release or a mirror, and trusts nothing without its digest. Called by css-binary. */
import { createHash } from "node:crypto"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../terminal.ts"
import { type Bytes, DownloadServer, type Limits } from "./download.ts"
import type { NewFile } from "./whole-file.ts"

/** The version that is installed. */
export const cssVersion = "4.0.0"

const official = `https://github.com/tailwindlabs/tailwindcss/releases/download/v${cssVersion}`

const otherWays = "Or point FW_CSS_BINARY at a compiler on disk, or FW_CSS_BASE_URL at a mirror."
const subject = { what: `the CSS compiler v${cssVersion}`, code: "css_download", otherWays }

/** A file of the release, and its SHA-256 where it is known. */
export interface Asset {
  readonly name: string
  readonly sha256?: string
}

type World = Pick<Io, "env" | "stderr" | "signal">

/**
 * Streams an asset into a new file.
 *
 * @throws FwError `css_mirror`, `css_download`, `css_digest` or `css_no_digest`; the file may be there, unfinished.
 */
export async function downloadAsset(
  asset: Asset,
  file: NewFile,
  world: World,
  { release, stall }: Partial<Limits> & { readonly release?: string },
): Promise<void> {
  const base = baseOf(world, release)
  const limits = stall === undefined ? undefined : { stall }
  const server = new DownloadServer(base, subject, world, limits)
  const wanted = await wantedDigest(asset, server, world)
  const digest = await server.stream(asset.name, (bytes) => save(bytes, file))
  if (digest === wanted) return
  throw new FwError(
    "css_digest",
    `${asset.name} has the SHA-256 ${digest}, not ${wanted}: it is damaged or not what it says`,
    `Nothing was installed. Try again; if it stays so, do not trust ${server.shown("")}.`,
  )
}

/** The release, or the mirror that `FW_CSS_BASE_URL` names, possibly with a password. */
function baseOf({ env }: World, release = official): URL {
  const text = env.FW_CSS_BASE_URL || release
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw noMirror(text)
  return new URL(text)
}

async function wantedDigest(
  { name, sha256 }: Asset,
  server: DownloadServer,
  { env }: World,
): Promise<string> {
  const given = env.FW_CSS_SHA256?.trim().toLowerCase()
  if (given) {
    if (/^[0-9a-f]{64}$/.test(given)) return given
    throw new FwError(
      "css_no_digest",
      `FW_CSS_SHA256 is no SHA-256: ${given}`,
      "It takes 64 hexadecimal digits; unset it to use those that are known.",
    )
  }
  return (server.href === official && sha256) || (await listedDigest(server, name))
}

/** The digest that the list beside an asset gives for it. */
async function listedDigest(server: DownloadServer, name: string): Promise<string> {
  const list = "sha256sums.txt"
  const { status, text } = await server.text(list)
  for (const line of text.split("\n")) {
    const [, digest, file] = /^\s*([0-9a-f]{64})\s+\*?(?:\.\/)?(\S+)\s*$/i.exec(line) ?? []
    if (digest && file === name) return digest.toLowerCase()
  }
  const problem =
    status >= 200 && status < 300
      ? `${server.shown(list)} does not name it`
      : `there is no list, ${server.shown(list)} answers ${status}`
  throw new FwError(
    "css_no_digest",
    `no SHA-256 is known for ${name}: ${problem}`,
    `Set FW_CSS_SHA256 to the digest from a source you trust. ${otherWays}`,
  )
}

function noMirror(text: string): FwError {
  const bare = text.replace(/\/\/[^/]*@/, "//").replace(/[?#].*$/s, "")
  return new FwError(
    "css_mirror",
    `FW_CSS_BASE_URL is no http or https address: ${bare}`,
    "Write the address of the folder that holds the release's files, such as https://mirror.example/tailwindcss.",
  )
}

/** Writes to a new file, and gives the SHA-256. */
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
