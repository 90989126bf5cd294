/**
 * Creates one project with every template of `fw generate` in its own directory, starts it, and sends it requests.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import * as assert from "uvu/assert"
import { createSourcePlugins } from "../../../../bin/validators/plugin.ts"
import { prepareValidators } from "../../../../bin/validators/prepare-validators.ts"
import { packageDirectory } from "../../packages.ts"
import { fw, project, runNode } from "../cli/command.ts"

/** The root directory of the repository. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url))
/** The secret for signing tokens. */
export const secret = "a secret of thirty-two bytes or more"
/** The names of all templates, by the kind of file. */
export const templates = {
  middleware: ["blank", "auth", "logging", "timing", "cors"],
  proxy: ["blank", "auth-check", "rate-limit", "maintenance", "redirect-www"],
}

const main = `import { App } from "fw"\n\nexport default new App({ trustedProxies: ["127.0.0.1"], logger: false, bodyLimit: 1000 })\n`
const ok =
  'import type { Context } from "fw"\n\nexport function Get(c: Context) {\n  return c.json(200, { path: c.path, user: c.getString("user_id") })\n}\n'
const login = `import type { Context } from "fw"
import { createSession, removeSession, sessionLifetime } from "../_lib/sessions.ts"

export function Post(c: Context) {
  const { id } = createSession({ userID: "7", email: "ada@shop.example", role: "user" })
  c.setCookie({ name: "session_id", value: id, path: "/", maxAge: sessionLifetime, httpOnly: true, secure: true, sameSite: "Lax" })
  return c.noContent()
}

export function Delete(c: Context) {
  removeSession(c.cookie("session_id"))
  return c.noContent()
}
`

/** Creates a project as `fw new` does, with every template in its own directory. */
function makeProject(): string {
  const scaffold = (file: string) => readFileSync(join(root, "scaffold/shared", file), "utf8")
  const cwd = project({
    "package.json": '{ "type": "module", "dependencies": { "fw": "*" } }\n',
    "tsconfig.json": scaffold("tsconfig.json"),
    "main.ts": main,
    ...Object.fromEntries(templates.middleware.map((name) => [`app/${name}/thing/route.ts`, ok])),
    // The page to which a generated proxy redirects visitors without a session.
    "app/login/route.ts": ok,
    ...Object.fromEntries(
      templates.proxy.flatMap((name) => [
        [`proxies/${name}/api/thing/route.ts`, ok],
        [`proxies/${name}/api/health/route.ts`, ok],
        [`proxies/${name}/page/route.ts`, ok],
      ]),
    ),
    "proxies/auth-check/login/route.ts": login,
  })
  mkdirSync(join(cwd, "node_modules"))
  symlinkSync(root, join(cwd, "node_modules/fw"))
  for (const name of ["typescript", "@typescript", "@types", "jose", "esbuild", "@esbuild", "undici-types"])
    symlinkSync(packageDirectory(name), join(cwd, "node_modules", name))
  return cwd
}

/** The directory of this test's project. */
export const cwd = makeProject()

/** Runs `fw generate` in the project. */
export async function generate(...args: string[]): Promise<void> {
  const { code, stderr } = await fw(["generate", ...args], { cwd })
  assert.is(code, 0, stderr)
}

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** A running application and its output. */
export interface Running {
  readonly port: number
  readonly lines: string[]
  /** Resolves when the program prints the next line. */
  next(): Promise<unknown>
  stop(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Bundles a route directory as `fw build` does, and returns the bundle's path. */
export async function bundle(appDir: string): Promise<string> {
  await generate("templates", "-d", appDir)
  const { files: calls } = await prepareValidators(cwd)
  const outfile = join(cwd, ".fw", `${appDir.replaceAll("/", "-")}.mjs`)
  await build({
    entryPoints: [join(cwd, ".fw/entry.node.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
    plugins: createSourcePlugins({ root: cwd, calls }),
  })
  return outfile
}

/** Starts a bundle. Resolves when it listens. */
export async function start(file: string, env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  running.add(child)
  const lines: string[] = []
  const reader = createInterface(child.stdout)
  const port = await new Promise<number>((resolve, reject) => {
    reader.on("line", (line) => {
      lines.push(line)
      const found = /Listening on .*:(\d+)/.exec(line)
      if (found) resolve(Number(found[1]))
    })
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${lines.join("\n")}`)))
  })
  const stop = async () => {
    running.delete(child)
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }
  return { port, lines, next: () => once(reader, "line"), stop }
}

/** Sends one request. */
export function ask(
  { port }: Running,
  target: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const [method = "GET", path = target] = target.includes(" ") ? target.split(" ") : ["GET", target]
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part) => {
        text += part
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    asked.on("error", reject)
    asked.end(body)
  })
}

/** Returns the output of a program that fails when it starts. */
export async function fails(file: string, env: Record<string, string>): Promise<string> {
  const { code, stderr } = await runNode([file], {
    cwd,
    env: { PORT: "0", AUTH_JWT_SECRET: undefined, ...env },
  })
  assert.is(code, 1)
  return stderr
}

/** Returns a JSON Web Token. */
export function token(claims: object | string, { key = secret, alg = "HS256", hash = "sha256" } = {}): string {
  const part = (value: object | string) =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")
  const text = `${part({ alg, typ: "JWT" })}.${part(claims)}`
  return `${text}.${alg === "none" ? "" : createHmac(hash, key).update(text).digest("base64url")}`
}

/** The current time in seconds. */
export const now = Math.floor(Date.now() / 1000)
/** The claims of a valid token. */
export const claims = { user_id: "7", email: "ada@shop.example", role: "admin", iat: now, exp: now + 3600 }
/** Returns the header for a token. */
export const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
