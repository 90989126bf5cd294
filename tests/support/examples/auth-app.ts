/** Starts examples/auth as a program, and an OpenID provider that is set up like Google's. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { program, runNode } from "../bin/cli/command.ts"
import { findFreePort } from "../free-port.ts"
import { sharedFolder } from "../shared.ts"

const example = fileURLToPath(new URL("../../../examples/auth/", import.meta.url))
const running = new Set<ChildProcess>()
const directories: string[] = []

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** Creates a directory that is removed after the tests. */
export function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "fw-auth-"))
  directories.push(directory)
  return directory
}

let bundled: Promise<string> | undefined

/** Bundles the program once in a run. The copy is below the example, where its packages are found. */
async function bundle(): Promise<string> {
  const shared = await sharedFolder("auth-program", async (folder) => {
    const { code, stderr } = await runNode([program, "generate", "templates"], { cwd: example })
    if (code !== 0) throw new Error(stderr)
    await build({
      absWorkingDir: example,
      entryPoints: [".fw/entry.node.ts"],
      outfile: join(folder, "main.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      sourcemap: true,
    })
  })
  const own = join(example, `.fw/slow-${process.pid}`)
  directories.push(own)
  cpSync(shared, own, { recursive: true })
  return join(own, "main.mjs")
}

/** A running application. */
export interface AuthApp {
  readonly origin: string
  /** Returns what the application has printed. */
  readonly output: () => string
  /** Stops the application, and returns its exit code or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

/** The program creates its tables when it starts, and all programs sign cookies with the same secret. */
const ready = { FW_MIGRATE: "start", FW_SECRETS: "a secret for the cookies of tests" }

/** Starts the program, and waits until it listens. @throws Error with its output, if it ends before. */
export async function startAuth(port: number, env: Readonly<Record<string, string>>): Promise<AuthApp> {
  bundled ??= bundle()
  const child = spawn(process.execPath, ["--enable-source-maps", await bundled], {
    cwd: example,
    env: { ...process.env, NODE_V8_COVERAGE: undefined, FW_LOG_LEVEL: "warn", PORT: String(port), ...ready, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  running.add(child)
  let output = ""
  const ended = once(child, "close").then(([code, signal]) => {
    running.delete(child)
    return (code ?? signal) as number | string
  })
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
        if (/Listening on/.test(output)) resolve()
      })
    }
    void ended.then((code) => reject(new Error(`it ended with ${code}:\n${output}`)))
  })
  return {
    origin: `http://localhost:${port}`,
    output: () => output,
    stop(signal = "SIGTERM") {
      child.kill(signal)
      return ended
    },
  }
}

/** A person with an account at the provider. */
export interface Person {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly picture: string
}

/** A local provider with Google's paths, claims and rules. */
export interface GoogleLike {
  readonly issuer: string
  readonly clientID: string
  readonly clientSecret: string
  /** Requests to the token endpoint: statuses, and their errors. */
  readonly exchanges: readonly { readonly status: number; readonly error: string }[]
  /** Makes the next code expire before it can be used. */
  expireNext(): void
  stop(): void
}

/** Starts a provider that sends browsers back only to `redirectURL`. */
export async function startGoogle(redirectURL: string, people: readonly Person[]): Promise<GoogleLike> {
  // The package has no types.
  const name = "oidc-provider"
  const { default: Provider } = (await import(name)) as { default: ProviderClass }
  const port = await findFreePort()
  const issuer = `http://localhost:${port}`
  const client = { clientID: "1234-abc.apps.googleusercontent.example", clientSecret: "GOCSPX-of-a-test" }
  const exchanges: { status: number; error: string }[] = []
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientID,
        client_secret: client.clientSecret,
        redirect_uris: [redirectURL],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    // The paths in Google's discovery document.
    routes: {
      authorization: "/o/oauth2/v2/auth",
      token: "/token",
      userinfo: "/v1/userinfo",
      jwks: "/oauth2/v3/certs",
    },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    scopes: ["openid", "email", "profile"],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/signin/${uid}` },
    cookies: { keys: ["a key for the cookies of a test"] },
    findAccount: (_: unknown, sub: string) => {
      const person = people.find((one) => one.sub === sub)
      return person && { accountId: sub, claims: () => ({ ...person }) }
    },
  })
  const note = (ctx: { status: number }, error?: { message: string }) =>
    exchanges.push({ status: error ? 400 : ctx.status, error: error?.message ?? "" })
  provider.on("grant.success", note)
  provider.on("grant.error", note)
  let expires = false
  provider.AuthorizationCode.prototype.save = new Proxy(provider.AuthorizationCode.prototype.save, {
    async apply(save, code, args) {
      const value = await Reflect.apply(save, code, args)
      if (expires) await code.destroy()
      expires = false
      return value
    },
  })
  const callback = provider.callback()
  const server = createServer((req, res) => {
    if (!req.url?.startsWith("/signin/")) return callback(req, res)
    signIn(provider, people, req, res).catch((error) => res.writeHead(500).end(String(error)))
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    issuer,
    ...client,
    exchanges,
    expireNext() {
      expires = true
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The parts of oidc-provider that are used here. */
interface ProviderLike {
  on(event: string, listener: (ctx: { status: number }, error?: { message: string }) => void): void
  callback(): (req: IncomingMessage, res: ServerResponse) => void
  interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>
  interactionFinished(req: IncomingMessage, res: ServerResponse, result: object, how?: object): Promise<void>
  readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
  readonly AuthorizationCode: { readonly prototype: { save(): Promise<string>; destroy(): Promise<void> } }
}
type ProviderClass = new (issuer: string, configuration: object) => ProviderLike

interface Interaction {
  readonly prompt: { readonly name: string }
  readonly params: { readonly client_id: string }
  readonly session?: { readonly accountId: string }
}

/** Serves the provider's own pages, which ask for the account and for permission. */
async function signIn(
  provider: ProviderLike,
  people: readonly Person[],
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(req, res)
  const form = new URLSearchParams(req.method === "POST" ? Buffer.concat(await req.toArray()).toString() : "")
  const finish = (result: object) => provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true })
  if (form.has("cancel")) return finish({ error: "access_denied" })
  if (prompt.name === "login") {
    const person = people.find(({ email }) => email === form.get("email"))
    if (person) return finish({ login: { accountId: person.sub } })
  } else if (form.has("allow")) {
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id })
    grant.addOIDCScope("openid email profile")
    return finish({ consent: { grantId: await grant.save() } })
  }
  const asks =
    prompt.name === "login"
      ? `<h1>Sign in with Google</h1><label>Email <input name="email" autofocus></label><button>Next</button>`
      : "<h1>Auth wants to know who you are</h1><button name=allow value=1>Allow</button><button name=cancel value=1>Cancel</button>"
  res.setHeader("content-type", "text/html")
  res.end(`<!doctype html><title>Google</title><link rel="icon" href="data:,"><form method="post">${asks}</form>`)
}
