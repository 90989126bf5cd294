/**
 * Starts PgBouncer in front of a PostgreSQL, in the mode in which a client has a connection for one transaction.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../free-port.ts"
import { createTestServer, startUntil, type TestServer } from "../store/server.ts"

/** Returns the user that runs PgBouncer, because PgBouncer does not run as root. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** Starts PgBouncer. @param server the port of PostgreSQL. */
export async function startPgBouncer(server: number): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), "fw-pgbouncer-"))
  const owner = user()
  const port = await findFreePort()
  const file = join(directory, "pgbouncer.ini")
  writeFileSync(join(directory, "users.txt"), '"postgres" ""\n')
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${directory}/users.txt
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
`
      .replace("* = ", "postgres = user=postgres ")
      .replace("auth_type = any", "auth_type = trust"),
  )
  if (owner.uid !== undefined) {
    chmodSync(directory, 0o755)
    chownSync(directory, owner.uid, owner.gid ?? owner.uid)
  }
  const run = () => startUntil("pgbouncer", [file], /process up|listening on/, { ...owner, cwd: directory })
  return createTestServer(port, directory, run)
}
