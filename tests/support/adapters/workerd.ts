/** Bundles a worker and runs it in workerd, with bindings and static files but without a disk. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import type { FrameworkPart } from "../../../bin/system/framework-files.ts"
import { published } from "./published.ts"
import { getCommand, type Running, start } from "./runtimes.ts"

/** A worker to run. */
export interface WorkerOptions {
  /** The bundle's text, an ES module. */
  readonly code: string
  /** Text bindings of `env`. */
  readonly vars?: Readonly<Record<string, string>>
  /** A directory that `env.ASSETS` serves. */
  readonly assets?: string
  /** The compatibility date. */
  readonly date?: string
  readonly flags?: readonly string[]
  /** True if `fetch()` may reach this machine. Default: only the internet. */
  readonly reachesMachine?: boolean
}

/** Bundles an entry into one ES module, as wrangler does. @param without the parts of fw to leave out. */
export async function bundleWorker(entry: string, without: readonly FrameworkPart[] = []): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser", ...without.map((part) => `fw-without-${part}`)],
    external: ["node:*"],
    plugins: [published],
    write: false,
    logLevel: "silent",
  })
  return (outputFiles[0] as { text: string }).text
}

/** Starts a worker; `port` is where it answers. */
export async function startWorker(options: WorkerOptions): Promise<Running & { port: number }> {
  const directory = mkdtempSync(join(tmpdir(), "fw-workerd-"))
  writeFileSync(join(directory, "worker.js"), options.code)
  if (options.assets) writeFileSync(join(directory, "assets.js"), assetsWorker(options.assets))
  writeFileSync(join(directory, "config.capnp"), config(options))
  const running = start([...getCommand("workerd"), "serve", "--control-fd=3", join(directory, "config.capnp")], {
    says: 3,
  })
  const stop = async (signal?: NodeJS.Signals) => {
    const code = await running.stop(signal)
    rmSync(directory, { recursive: true })
    return code
  }
  try {
    const { port } = JSON.parse(await running.line())
    return { ...running, stop, port }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Returns the configuration of workerd. The socket passes the client's address in `request.cf` as an edge does,
 * from a header that only the socket may set.
 */
function config(options: WorkerOptions): string {
  const { vars = {}, assets, date = "2025-10-01", flags = ["enable_request_signal"] } = options
  const bindings = Object.entries(vars).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  )
  if (assets) bindings.push('(name = "ASSETS", service = "assets")')
  const worker = (name: string, file: string, more: string) =>
    `(name = "${name}", worker = (modules = [(name = "${file}", esModule = embed "${file}")], ` +
    `compatibilityDate = "${date}", compatibilityFlags = ${JSON.stringify(flags)}${more}))`
  const services = [
    worker("main", "worker.js", `, bindings = [${bindings.join(", ")}]`),
    ...(assets ? [worker("assets", "assets.js", "")] : []),
    ...(options.reachesMachine ? ['(name = "internet", network = (allow = ["private"]))'] : []),
  ]
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(", ")}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (cfBlobHeader = "x-cf"), service = "main")]
);
`
}

const types: Record<string, string> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
}

/**
 * Returns a worker that acts as a platform's asset service: it serves the files of a directory by their URLs, with
 * types, ETags and 304.
 */
function assetsWorker(directory: string): string {
  const files: Record<string, readonly [type: string, base64: string]> = {}
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const file = join(directory, name)
    if (!statSync(file).isFile()) continue
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream"
    files[`/${name}`] = [type, readFileSync(file).toString("base64")]
  }
  return `const files = ${JSON.stringify(files)}
export default {
  async fetch(request) {
    const path = decodeURIComponent(new URL(request.url).pathname)
    const [type, text] = files[path.endsWith("/") ? path + "index.html" : path] ?? []
    if (type === undefined) {
      const index = path + "/index.html" in files
      return index ? new Response(null, { status: 307, headers: { location: path + "/" } }) : new Response("not found", { status: 404 })
    }
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-1", bytes))
    const etag = '"' + [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("") + '"'
    const headers = { etag, "content-type": type, "cache-control": "public, max-age=0, must-revalidate" }
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers })
    return new Response(bytes, { headers })
  },
}
`
}
