/** A local mirror of the CSS compiler's release, and functions that check which files an installation leaves behind. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Test } from "uvu"
import { program } from "../cli/command.ts"

/** The file of the release that an install requests here. */
export const asset = "tailwindcss-linux-x64"

/** The file's name in the cache, with the version. */
export const kept = `${asset}-v4.0.0`

/** A download that is not a compiler: it starts, and prints nothing. */
export const bytes = Buffer.concat([Buffer.from("#!/bin/false\n"), Buffer.alloc(3_000_000, "bytes ")])

/** A running server. */
export interface Mirror {
  readonly url: string
  /** The requested paths, in order. */
  readonly asked: readonly string[]
  readonly headers: readonly IncomingMessage["headers"][]
  close(): Promise<void>
}

/** Starts a server on a free port. */
export async function listen(answer: RequestListener): Promise<Mirror> {
  const asked: string[] = []
  const headers: IncomingMessage["headers"][] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    headers.push(request.headers)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // If a test fails, an open server must not keep the process running.
  server.unref()
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, asked, headers, close }
}

/** Starts servers for the tests of a file, and closes each after the test that started it. */
export function chooseMirrors({ after }: Test): typeof listen {
  const mirrors: Mirror[] = []
  after.each(async () => {
    await Promise.all(mirrors.splice(0).map((mirror) => mirror.close()))
  })
  return async (answer) => {
    const started = await listen(answer)
    mirrors.push(started)
    return started
  }
}

/** Returns the SHA-256 of bytes in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

/** Returns `sha256sums.txt` as the release contains it. */
export function sums(bytes: Uint8Array): string {
  return `${"0".repeat(64)}  ./tailwindcss-other\n${sha256(bytes)}  ./${asset}\n`
}

/** Serves the file and its digest. `send` may answer the request for the file instead. */
export function serve(
  bytes: Uint8Array,
  send: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end(bytes),
): RequestListener {
  return (request, response) => {
    const path = new URL(request.url ?? "/", "http://mirror").pathname
    if (path.endsWith("/sha256sums.txt")) response.end(sums(bytes))
    else if (!path.endsWith(`/${asset}`)) response.writeHead(404).end()
    else {
      response.setHeader("content-length", bytes.byteLength)
      send(response, request)
    }
  }
}

/** Runs `fw css install` as the real program. */
export function startInstall(home: string, url: string) {
  const env = { ...process.env, HOME: home, FW_CSS_BASE_URL: url, FW_CSS_BINARY: "", FW_CSS_SHA256: "" }
  const child = spawn(process.execPath, [program, "css", "install"], { env, stdio: "ignore" })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal }))
  })
  return { child, ended }
}

/** Returns true if the file in the cache is complete. */
export function keptIsWhole(home: string): boolean {
  return readFileSync(join(home, ".cache", "fw", "bin", kept)).equals(bytes)
}

/** Returns the files in the cache of a home directory. */
export function cached(home: string): string[] {
  const folder = join(home, ".cache", "fw", "bin")
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
