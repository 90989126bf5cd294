/** Starts a PostgreSQL server of Debian's package. */
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, readdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../free-port.ts"
import { createTestServer, startUntil, type TestServer } from "./server.ts"

const versions = "/usr/lib/postgresql"

/**
 * Returns the user that runs the server, because PostgreSQL does not run as root. Debian's package adds this user.
 */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** Lets other users enter a directory, because the tests' directory for temporary files is private. */
function letThrough(directory: string): void {
  const mode = statSync(directory).mode & 0o7777
  if ((mode & 0o001) === 0) chmodSync(directory, mode | 0o001)
}

/** Starts a server with an empty database `postgres` and the user `postgres`. */
export async function startPostgres(): Promise<TestServer> {
  const version = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] as string
  const program = (name: string) => join(versions, version, "bin", name)
  const owner = user()
  if (owner.uid !== undefined) letThrough(tmpdir())
  const directory = mkdtempSync(join(tmpdir(), "fw-postgres-"))
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid ?? owner.uid)
  const data = join(directory, "data")
  const create = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
  execFileSync(program("initdb"), create, { ...owner, cwd: directory, stdio: "ignore" })
  const port = await findFreePort()
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${directory}`]
  return createTestServer(port, directory, () =>
    startUntil(program("postgres"), ["-D", data, "-p", String(port), ...settings], /ready to accept connections/, {
      ...owner,
      cwd: directory,
    }),
  )
}
