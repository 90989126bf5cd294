/**
 * Tests of what a built program offers to its operators: HTTPS, sockets, status requests, secrets in files, and log
 * lines about its end.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { type RequestOptions, request } from "node:http"
import { request as requestTLS } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { tls } from "../support/adapters/tls.ts"
import { build, listProcesses, type Served, serve } from "../support/bin/build/executables.ts"
import { runNode } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { findFreePort } from "../support/free-port.ts"
import { until } from "../support/store/until.ts"

const cwd = makeProject({
  "package.json": '{ "name": "@acme/shop", "version": "1.2.3", "type": "module" }\n',
  ".env.example": "# The database\nDATABASE_URL=\n#MAIL_PASSWORD=\nLOG=yes\nLOG_FILE=\n",
  "main.ts": `import { App } from "fw"
const started = { ...process.env }
if (started.TELL) console.log(JSON.stringify(started))
const app = new App({ trustedProxies: ["unix"], logger: { format: "text" } })
app.health({ drain: 0, checks: { disk: () => started.DISK !== "full" } })
app.get("/who", (c) => c.string(200, \`\${c.clientIP} \${c.origin} \${process.pid}\`))
app.get("/hangs", () => { console.log("hangs"); return new Promise(() => {}) })
if (started.FAILS) app.onShutdown(() => { throw new Error("no connection") })
export default app
`,
})
const files = mkdtempSync(join(tmpdir(), "fw-op-"))
const file = (name: string, text: string, mode = 0o600) => {
  const path = join(files, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
const program = join(cwd, "dist/node/server.mjs")
const bundle = [process.execPath, program] as const
const binary = join(cwd, "bin/shop")
const base = { HOST: "127.0.0.1" }
const certificate = { FW_TLS_CERT: file("cert.pem", tls.cert), FW_TLS_KEY: file("key.pem", tls.key) }

/** Sends a request to a program at a port or a Unix socket. */
async function ask(served: Pick<Served, "url">, path: string, ca?: string): Promise<string> {
  const { hostname, port } = new URL(served.url.startsWith("http") ? served.url : "http://localhost:1")
  const to = served.url.startsWith("unix:") ? { socketPath: served.url.slice(5) } : { host: hostname, port }
  const options: RequestOptions = { ...to, path, agent: false, headers: { host: "localhost" } }
  const sent = (ca ? requestTLS({ ...options, ca, servername: "localhost" }) : request(options)).end()
  const [answer] = await once(sent, "response")
  let text = ""
  for await (const part of answer) text += part
  return `${answer.statusCode} ${text}`
}

/** Runs a program that ends by itself. */
const ran = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runNode([program, ...args], { cwd: files, env })

/** Returns the lines of a program about its end. */
const ends = (served: Served) =>
  served
    .output()
    .split("\n")
    .filter((line) => /^(?:fw: s|S)hutdown/.test(line))
    .map((line) => line.replace(/worker \d+/, "worker"))

const test = suite("a program and its operator")
test.before(async () => {
  for (const target of [["--target", "node"], []]) {
    const { code, stdout, stderr } = await build(cwd, target)
    assert.is(code, 0, stdout + stderr)
  }
})
test.after(() => rmSync(files, { recursive: true }))

for (const [what, command] of [
  ["a bundle", bundle],
  ["an executable", [binary]],
] as const) {
  test(`${what} prints its version and its variables without starting`, () => {
    const [file, ...args] = command
    const said = (flag: string) =>
      execFileSync(file, [...args, flag], { encoding: "utf8", env: { FW_WORKERS: "2", PORT: "x" } })
    assert.is(said("--version"), "shop 1.2.3\n")
    const help = said("--help")
    assert.match(help, /^shop 1\.2\.3\n/)
    for (const name of ["--health", "PORT", "FW_TLS_CERT", "FW_WORKERS", "FW_SECRETS_FILE", "DATABASE_URL"])
      assert.match(help, name)
  })

  test(`${what} can ask the running program for its health: by port, by socket, and with TLS`, async () => {
    const path = join(files, "health.sock")
    for (const [env, ca] of [
      [{ ...base, PORT: `${await findFreePort()}` }, undefined],
      [{ HOST: "0.0.0.0", PORT: `${await findFreePort()}` }, undefined],
      [{ ...base, PORT: `${await findFreePort()}`, ...certificate }, tls.cert],
      [{ PORT: path, ...certificate }, tls.cert],
      [{ PORT: path, FW_WORKERS: "2" }, undefined],
    ] as const) {
      const health = async (...args: string[]) => {
        const [file, ...first] = command
        const child = spawn(file, [...first, "--health", ...args], { cwd: files, env })
        let said = ""
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (text) => {
            said += text
          })
        const [code] = await once(child, "close")
        return `${code} ${said}`
      }
      assert.match(await health(), /^1 no answer: /)
      const served = await serve(command, files, env)
      assert.is(await health(), '0 200 {"status":"ok","checks":{"disk":"ok"}}\n')
      assert.is(await health("/health/live"), '0 200 {"status":"ok"}\n')
      assert.match(await health("/none"), /^1 404 .*app\.health\(\)/)
      assert.match(await ask(served, "/who", ca), /^200 /)
      assert.is(await served.stop(), 0)
    }
  })
}

test("the health request fails if a check fails, and if the port is unknown", async () => {
  const env = { ...base, PORT: `${await findFreePort()}`, DISK: "full" }
  const served = await serve(bundle, files, env)
  const { code, stderr } = await ran(["--health"], env)
  assert.equal([code, stderr], [1, '503 {"status":"failed","checks":{"disk":"failed"}}\n'])
  assert.is(await served.stop(), 0)
  const unknown = await ran(["--health"], { PORT: "0" })
  assert.equal([unknown.code, unknown.stderr], [1, "PORT is 0, a free port that only the running program knows\n"])
})

test("--help with another argument belongs to the program, which starts", async () => {
  const served = await serve([...bundle, "--help", "me"], files, base)
  assert.is(await served.stop(), 0)
})

test("HTTPS works with a certificate in two files", async () => {
  const served = await serve(bundle, files, { ...base, ...certificate })
  assert.match(await ask(served, "/who", tls.cert), /^200 127\.0\.0\.1 https:\/\/localhost \d+$/)
  assert.is(await served.stop(), 0)
})

const otherKey = execFileSync("openssl", ["genpkey", "-algorithm", "ed25519"], { encoding: "utf8" })
const encrypt = (...options: string[]) =>
  file(
    `encrypted-${options.length}.pem`,
    execFileSync("openssl", [...options, "-aes256", "-passout", "pass:open sesame"], {
      input: tls.key,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    }),
  )
const encryptedKey = encrypt("pkey")
const encrypted = { ...certificate, FW_TLS_KEY: encryptedKey }
const passphrase = file("passphrase", "open sesame\n")

test("a key with a passphrase can be read, in PKCS #8 and in the older format", async () => {
  for (const key of [encryptedKey, encrypt("pkey", "-traditional")]) {
    const served = await serve(bundle, files, {
      ...base,
      ...encrypted,
      FW_TLS_KEY: key,
      FW_TLS_PASSPHRASE_FILE: passphrase,
    })
    assert.match(await ask(served, "/who", tls.cert), /^200 /)
    assert.is(await served.stop(), 0)
  }
})

for (const [env, message] of [
  [{ FW_TLS_CERT: certificate.FW_TLS_CERT }, "FW_TLS_CERT .* is set, and FW_TLS_KEY is not"],
  [{ FW_TLS_KEY: certificate.FW_TLS_KEY }, "FW_TLS_KEY .* is set, and FW_TLS_CERT is not"],
  [{ ...certificate, FW_TLS_KEY: "/none.pem" }, 'FW_TLS_KEY names "/none.pem", which cannot be read: there is none'],
  [{ ...certificate, FW_TLS_CERT: files }, "FW_TLS_CERT names .*: it is a directory"],
  [{ ...certificate, FW_TLS_KEY: tls.key }, "FW_TLS_KEY is the text of a file, not its path"],
  [{ ...certificate, FW_TLS_KEY: certificate.FW_TLS_CERT }, "FW_TLS_KEY \\(.*cert.pem\\) is not a private key in PEM"],
  [{ ...certificate, FW_TLS_CERT: certificate.FW_TLS_KEY }, "FW_TLS_CERT \\(.*key.pem\\) is not a certificate in PEM"],
  [{ ...certificate, FW_TLS_KEY: file("other.pem", otherKey) }, "FW_TLS_KEY .* is not the private key of FW_TLS_CERT"],
  [encrypted, "FW_TLS_KEY .* is encrypted"],
  [{ ...encrypted, FW_TLS_PASSPHRASE: "open" }, "FW_TLS_PASSPHRASE is not the passphrase of FW_TLS_KEY"],
  [{ ...encrypted, FW_TLS_PASSPHRASE_FILE: "/none" }, "FW_TLS_PASSPHRASE_FILE names a file that cannot be read"],
] as const)
  test(`a certificate that cannot be used ends the program: ${message}`, async () => {
    const { code, stderr } = await ran([], { ...base, PORT: "0", ...env })
    assert.is(code, 1)
    assert.match(stderr, new RegExp(message))
    assert.not.match(stderr, tls.key.split("\n")[1] as string)
  })

test("new workers read a new certificate", async () => {
  const cert = file("renewed.pem", tls.cert)
  const key = file("renewed-key.pem", tls.key)
  const served = await serve(bundle, files, { ...base, FW_TLS_CERT: cert, FW_TLS_KEY: key, FW_WORKERS: "1" })
  const names = ["-subj", "/CN=new", "-addext", "subjectAltName=DNS:localhost"]
  const made = execFileSync("openssl", ["req", "-x509", "-newkey", "ed25519", "-noenc", "-keyout", key, ...names], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
  writeFileSync(cert, made)
  served.child.kill("SIGHUP")
  // The old worker accepts connections until it has ended.
  await until(() =>
    ask(served, "/health/live", made).then(
      () => true,
      () => false,
    ),
  )
  assert.is(await served.stop(), 0)
})

for (const [what, env] of [
  ["a program", {}],
  ["a program with two workers", { FW_WORKERS: "2" }],
] as const) {
  test(`${what} listens on a Unix socket for its user and group, and removes the socket when it ends`, async () => {
    const path = join(files, "shop.sock")
    const served = await serve(bundle, files, { PORT: path, HOST: "127.0.0.1", ...env })
    assert.is(served.url, `unix:${path}`)
    assert.is(statSync(path).mode & 0o777, 0o660)
    assert.match(await ask(served, "/who"), /^200 unix http:\/\/localhost \d+$/)
    // Another program that starts must not remove the socket.
    const { code, stderr } = await ran([], { PORT: path })
    assert.is(code, 1)
    assert.match(stderr, `another process listens on the socket ${path}`)
    assert.match(await ask(served, "/who"), /^200 /)
    assert.is(await served.stop(), 0)
    assert.not.ok(existsSync(path))
  })

  test(`${what} replaces the socket of a killed one`, async () => {
    const path = join(files, "left.sock")
    const others = listProcesses(cwd)
    const killed = await serve(bundle, files, { PORT: path, ...env })
    const pids = listProcesses(cwd).filter((pid) => !others.includes(pid))
    killed.child.kill("SIGKILL")
    await until(() => !listProcesses(cwd).some((pid) => pids.includes(pid)))
    assert.ok(existsSync(path))
    const served = await serve(bundle, files, { PORT: path, ...env })
    assert.match(await ask(served, "/who"), /^200 /)
    assert.is(await served.stop(), 0)
    assert.not.ok(existsSync(path))
  })

  for (const kind of ["a port", "a Unix socket"])
    test(`${what} accepts ${kind} from systemd, and leaves it open`, async () => {
      const path = join(files, "systemd.sock")
      const port = await findFreePort()
      const [address, url] =
        kind === "a port" ? [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`] : [path, `unix:${path}`]
      // systemd-socket-activate starts the program with the first connection. HOST and PORT name another address on
      // purpose.
      const variables = Object.entries({ PORT: "1", HOST: "203.0.113.7", ...env }).map(
        ([name, value]) => `-E${name}=${value}`,
      )
      const child = spawn("systemd-socket-activate", ["-l", address, ...variables, ...bundle], { cwd: files })
      let output = ""
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text
        })
      await until(() => output.includes("Listening on"))
      assert.is(await ask({ url }, "/health/live"), '200 {"status":"ok"}')
      const said = kind === "a port" ? address : "a socket that was open"
      await until(() => output.includes(`Listening on ${said}`))
      const closed = once(child, "close")
      child.kill("SIGTERM")
      assert.equal(await closed, [0, null])
      if (kind !== "a port") assert.ok(existsSync(path))
      rmSync(path, { force: true })
    })

  test(`${what} ignores sockets of another process`, async () => {
    const served = await serve(bundle, files, { ...base, LISTEN_FDS: "1", LISTEN_PID: "1", ...env })
    assert.match(await ask(served, "/health/live"), /^200 /)
    assert.is(await served.stop(), 0)
  })

  test(`${what} logs when its shutdown starts and how it ends`, async () => {
    const [processes, of] = "FW_WORKERS" in env ? [2, " of worker"] : [1, ""]
    const each = (line: string) => Array.from({ length: processes }, () => line)
    const answered = `hutdown${of} ends: every request was answered`
    for (const [signal, fails, begin, end] of [
      ["SIGTERM", "", " (SIGTERM)", `S${answered}`],
      ["SIGINT", "yes", of ? "" : " (SIGINT)", `fw: s${answered}, and a function of app.onShutdown() failed`],
    ] as const) {
      const served = await serve(bundle, files, { ...base, ...env, FAILS: fails })
      assert.is(await served.stop(signal), fails ? 1 : 0)
      assert.equal(
        ends(served).sort(),
        [...each(`Shutdown${of} begins${begin}: no requests are open`), ...each(end)].sort(),
      )
    }
  })
}

test("systemd may pass only one socket", async () => {
  const child = spawn("/bin/sh", ["-c", 'LISTEN_PID=$$ exec "$0" "$1"', ...bundle], {
    cwd: files,
    env: { LISTEN_FDS: "2" },
  })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  assert.equal(await once(child, "close"), [1, null])
  assert.match(said, /systemd gives the program 2 sockets/)
})

test("a file that is not a socket is not removed", async () => {
  const path = file("notes.txt", "important")
  const { code, stderr } = await ran([], { PORT: path })
  assert.is(code, 1)
  assert.match(stderr, `cannot listen on ${path}: there is a file that is not a socket`)
  const missing = await ran([], { PORT: join(files, "none/a.sock") })
  assert.match(missing.stderr, /cannot listen on .*: its directory does not exist\n/)
})

test("the second signal ends a program at once, and logs what was open", async () => {
  const served = await serve(bundle, files, base)
  void ask(served, "/hangs").catch(() => {})
  await until(() => served.output().includes("hangs"))
  const closed = once(served.child, "close")
  served.child.kill("SIGTERM")
  await until(() => served.output().includes("Shutdown begins (SIGTERM): 1 request is open"))
  served.child.kill("SIGTERM")
  assert.equal(await closed, [143, null])
  assert.match(served.output(), /stopped at once by the second signal: 1 request is open/)
})

const secret = "Zq8vN2xKp4TmR7wYc1LbH5sGd9JfU3eA6oIiXtQk"
test("secrets can be read from files, without the line feed at the end", async () => {
  const env = {
    FW_SECRETS_FILE: file("secrets", `${secret},${secret}2\r\n\n`),
    DATABASE_URL_FILE: file("database", " postgres://a b\nc"),
    MAIL_PASSWORD: "",
    MAIL_PASSWORD_FILE: file("mail", "pass"),
    // The project's own settings, and a variable that nobody declares.
    LOG_FILE: "/none/log",
    OTHER_FILE: "/none/other",
  }
  for (const workers of [{}, { FW_WORKERS: "2" }]) {
    const served = await serve(bundle, files, {
      ...base,
      TELL: "yes",
      ...env,
      ...workers,
    })
    const told = JSON.parse(
      served
        .output()
        .split("\n")
        .find((line) => line.startsWith("{")) ?? "{}",
    )
    assert.equal(
      [
        told.FW_SECRETS,
        told.DATABASE_URL,
        told.MAIL_PASSWORD,
        told.FW_SECRETS_FILE,
        told.LOG,
        told.LOG_FILE,
        told.OTHER_FILE,
      ],
      [`${secret},${secret}2`, " postgres://a b\nc", "pass", undefined, undefined, "/none/log", "/none/other"],
    )
    assert.not.match(served.output(), /is not a variable of fw/)
    assert.is(await served.stop(), 0)
  }
})

for (const [env, message] of [
  [{ FW_SECRETS: secret, FW_SECRETS_FILE: file("both", secret) }, "FW_SECRETS and FW_SECRETS_FILE are both set"],
  [{ FW_SECRETS_FILE: secret }, "FW_SECRETS_FILE names a file that cannot be read: there is none"],
  [{ DATABASE_URL_FILE: files }, "DATABASE_URL_FILE names a file that cannot be read: it is a directory"],
  [{ DATABASE_URL_FILE: file("empty", "\n") }, "DATABASE_URL_FILE names a file that cannot be read: it is empty"],
  [{ DATABASE_URL_FILE: file("binary", `${secret}\0`) }, "DATABASE_URL_FILE .*: it is not text"],
] as const)
  test(`an error about a secret does not show it: ${message}`, async () => {
    for (const workers of [{}, { FW_WORKERS: "1" }]) {
      const { code, stdout, stderr } = await ran([], { ...base, PORT: "0", ...env, ...workers } as Record<
        string,
        string
      >)
      assert.is(code, 1)
      assert.match(stderr, new RegExp(message))
      assert.not.match(stdout + stderr, secret)
    }
  })

test.run()
