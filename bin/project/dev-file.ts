/**
 * The file `.fw/dev.json`, through which other programs of this user find a running `fw dev` and prove that they
 * may send it requests.
 */
import { randomBytes } from "node:crypto"
import { open, readFile } from "node:fs/promises"
import { type AddressInfo, isIP } from "node:net"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { formatAddress, toReachableHost } from "../../adapters/shared/address.ts"
import { isAlive } from "../system/temporary-files.ts"
import { fillFile, removeFile } from "../system/whole-file.ts"

/** The content of the file. */
export interface DevFile {
  /** The URL of the server on this machine, such as `http://127.0.0.1:3000`. */
  readonly address: string
  /** The id of the `fw dev` process. */
  readonly pid: number
  /** The secret that other programs send to this run of `fw dev`. */
  readonly token: string
}

/** Path of the file, relative to the project. */
const devFilePath = ".fw/dev.json"

/** Only the owner may read the file, because it contains a secret. */
const devFileMode = 0o600

/** Writes and removes the file for a run of `fw dev`. */
export class OwnDevFile {
  /** The secret that other programs send to this run of `fw dev`. */
  readonly token = randomBytes(32).toString("base64url")
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Writes the file.
   *
   * @throws FwError if a link leads outside the project, or the file cannot be written.
   */
  async write(bound: BoundAddress): Promise<void> {
    const content: DevFile = { address: toLocalOrigin(bound), pid: process.pid, token: this.token }
    const fill = async (file: { readonly path: string }) => {
      // The file is created with this mode. Otherwise other users could read it for a moment.
      const handle = await open(file.path, "wx", devFileMode)
      try {
        await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      } finally {
        await handle.close()
      }
    }
    await fillFile({ root: this.#root, path: devFilePath }, fill, devFileMode)
  }

  /** Removes the file, unless a later run has written it. */
  async remove(): Promise<void> {
    const content = await readContent(this.#root)
    if (content?.token === this.token) await removeFile({ root: this.#root, path: devFilePath })
  }
}

/** The address to which a server is bound. */
export type BoundAddress = Pick<AddressInfo, "address" | "port">

/**
 * Returns the content of the file. Returns null if there is no file, if the process in it has ended, or if its
 * address is not on this machine.
 */
export async function readDevFile(root: string): Promise<DevFile | null> {
  const content = await readContent(root)
  return content && isAlive(content.pid) && isOwnAddress(content.address) ? content : null
}

async function readContent(root: string): Promise<DevFile | null> {
  try {
    const { address, pid, token } = JSON.parse(await readFile(join(root, devFilePath), "utf8")) as Partial<DevFile>
    const isComplete = typeof address === "string" && Number.isInteger(pid) && typeof token === "string"
    return isComplete && (pid as number) > 0 ? { address, pid: pid as number, token } : null
  } catch {
    return null
  }
}

/**
 * Returns true for an HTTP URL with an IP address of this machine. Anyone may have written the file, so the address
 * is not trusted.
 */
function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  const ip = hostname.replace(/^\[|\]$/g, "")
  if (protocol !== "http:" || origin !== address || isIP(ip) === 0) return false
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return /^127\./.test(ip) || ip === "::1" || interfaces.some((one) => one.address === ip)
}

/** Returns the URL at which this machine reaches a server that is bound to an address. */
export function toLocalOrigin({ address, port }: BoundAddress): string {
  return `http://${formatAddress(toReachableHost(address), port)}`
}
