/** Downloads the standalone CSS compiler from its release or a mirror, and trusts nothing without its digest. Called by css-binary. */
import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../terminal.ts"

/** The version that is installed. */
export const cssVersion = "4.0.0"

const official = `https://github.com/tailwindlabs/tailwindcss/releases/download/v${cssVersion}`

const otherWays = "Or point FW_CSS_BINARY at a compiler on disk, or FW_CSS_BASE_URL at a mirror."

/** A file of the release, and its SHA-256 where it is known. */
export interface Asset {
  readonly name: string
  readonly sha256?: string
}

/** What a download may take. */
export interface Limits {
  /** Milliseconds without a byte after which a server counts as dead. */
  readonly stall: number
}

type World = Pick<Io, "env" | "stderr" | "signal">

/**
 * Streams an asset into a new file.
 *
 * @throws FwError `css_mirror`, `css_download`, `css_digest` or `css_no_digest`; the file may be there, unfinished.
 */
export async function downloadAsset(
  asset: Asset,
  path: string,
  world: World,
  limits: Limits = { stall: 30_000 },
): Promise<void> {
  const server = new Server(world, limits)
  const wanted = await wantedDigest(asset, server, world)
  const digest = await server.download(asset.name, path)
  if (digest === wanted) return
  throw new FwError(
    "css_digest",
    `${asset.name} has the SHA-256 ${digest}, not ${wanted}: it is damaged or not what it says`,
    `Nothing was installed. Try again; if it stays so, do not trust ${server.shown("")}.`,
  )
}

async function wantedDigest({ name, sha256 }: Asset, server: Server, { env }: World): Promise<string> {
  const given = env.FW_CSS_SHA256?.trim().toLowerCase()
  if (given) {
    if (/^[0-9a-f]{64}$/.test(given)) return given
    throw new FwError(
      "css_no_digest",
      `FW_CSS_SHA256 is no SHA-256: ${given}`,
      "It takes 64 hexadecimal digits; unset it to use those that are known.",
    )
  }
  return (server.isOfficial && sha256) || (await server.listedDigest(name))
}

/** The release, or the mirror that `FW_CSS_BASE_URL` names, possibly with a password. */
class Server {
  readonly isOfficial: boolean
  readonly #base: URL
  readonly #headers: Record<string, string> = { "accept-encoding": "identity" }
  readonly #world: World
  readonly #limits: Limits

  constructor(world: World, limits: Limits) {
    this.#world = world
    this.#limits = limits
    const text = world.env.FW_CSS_BASE_URL || official
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw noMirror(text)
    const base = new URL(text)
    // fetch refuses a password in a URL; as a header it takes it, and drops it where a redirect leads elsewhere.
    if (base.username || base.password) {
      const pair = `${decoded(base.username)}:${decoded(base.password)}`
      this.#headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`
      base.username = base.password = ""
    }
    base.pathname = base.pathname.replace(/\/+$/, "")
    base.hash = ""
    this.#base = base
    this.isOfficial = base.href === official
  }

  /** An address as messages name it: without a password and without the query, which may be one. */
  shown(name: string): string {
    const url = this.#url(name)
    return `${url.origin}${url.pathname}`.replace(/\/$/, "")
  }

  #url(name: string): URL {
    const url = new URL(this.#base)
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${name}`
    return url
  }

  /** The digest that the list beside an asset gives for it. */
  async listedDigest(name: string): Promise<string> {
    const list = "sha256sums.txt"
    const { problem, text } = await this.#get(list, async (response) =>
      response.ok
        ? { text: await response.text() }
        : { text: "", problem: `there is no list, ${this.shown(list)} answers ${response.status}` },
    )
    for (const line of text.split("\n")) {
      const [, digest, file] = /^\s*([0-9a-f]{64})\s+\*?(?:\.\/)?(\S+)\s*$/i.exec(line) ?? []
      if (digest && file === name) return digest.toLowerCase()
    }
    throw new FwError(
      "css_no_digest",
      `no SHA-256 is known for ${name}: ${problem ?? `${this.shown(list)} does not name it`}`,
      `Set FW_CSS_SHA256 to the digest from a source you trust. ${otherWays}`,
    )
  }

  /** Streams a file to disk and gives its SHA-256. That all of it came is checked by fetch, where the length is known. */
  download(name: string, path: string): Promise<string> {
    return this.#get(name, async (response, alive) => {
      if (!response.ok || !response.body) {
        const fix = `Check that ${this.shown("")} is where ${name} is. ${otherWays}`
        throw new FwError("css_download", `${this.shown(name)} answers ${response.status}`, fix)
      }
      const total = Number(response.headers.get("content-length") ?? 0)
      const progress = makeProgress(this.#world, total)
      try {
        return await save(response.body, path, (count) => {
          alive()
          progress.add(count)
        })
      } finally {
        progress.end()
      }
    })
  }

  /** Asks for a file and hands the answer on; silence that lasts too long ends both. */
  async #get<T>(name: string, read: (response: Response, alive: () => void) => Promise<T>): Promise<T> {
    const { signal } = this.#world
    const { stall } = this.#limits
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), stall)
    let reached = false
    try {
      const both = AbortSignal.any([signal, silence.signal])
      const response = await fetch(this.#url(name), { headers: this.#headers, signal: both })
      reached = true
      timer.refresh()
      return await read(response, () => void timer.refresh())
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      // What the disk refuses is no fault of the network's.
      if (cause instanceof FwError || (cause as NodeJS.ErrnoException).syscall) throw cause
      const silent = `sent nothing for ${stall / 1000} s`
      const why = silence.signal.aborted ? silent : reasonOf(cause as Error)
      const what = reached
        ? `the download of ${this.shown(name)} broke off: ${why}`
        : `cannot reach ${this.shown(name)}: ${why}`
      throw new FwError("css_download", what, `Check the network and try again. ${otherWays}`, { cause })
    } finally {
      clearTimeout(timer)
      // Closes the connection where the answer was not read to its end.
      silence.abort()
    }
  }
}

function noMirror(text: string): FwError {
  const bare = text.replace(/\/\/[^/]*@/, "//").replace(/[?#].*$/s, "")
  return new FwError(
    "css_mirror",
    `FW_CSS_BASE_URL is no http or https address: ${bare}`,
    "Write the address of the folder that holds the release's files, such as https://mirror.example/tailwindcss.",
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** fetch tells what happened in a cause, and of several addresses tried in vain only a code. */
function reasonOf(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.message || cause?.code || error.message
}

async function save(
  body: ReadableStream<Uint8Array>,
  path: string,
  onBytes: (count: number) => void,
): Promise<string> {
  const hash = createHash("sha256")
  const file = await open(path, "wx")
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      await file.writeFile(chunk)
      onBytes(chunk.byteLength)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest("hex")
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** One line that counts up on a terminal; a single line elsewhere. */
function makeProgress({ stderr }: World, total: number) {
  const what = `Downloading the CSS compiler v${cssVersion}`
  const whole = total > 0 ? ` of ${megabytes(total)}` : ""
  let bytes = 0
  let told = 0
  if (!stderr.isTerminal) stderr.write(`${what}${total > 0 ? `, ${megabytes(total)}` : ""}\n`)
  const show = () => stderr.write(`\r\x1b[K${what}: ${megabytes(bytes)}${whole}`)
  if (stderr.isTerminal) show()
  return {
    add(count: number) {
      bytes += count
      if (!stderr.isTerminal || bytes - told < 500_000) return
      told = bytes
      show()
    },
    end() {
      if (stderr.isTerminal) stderr.write("\r\x1b[K")
    },
  }
}
