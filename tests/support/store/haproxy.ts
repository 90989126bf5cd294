/** Starts HAProxy in front of processes that a test starts. */

import { spawn } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTestServer, endWithTest, type TestServer } from "./server.ts"
import { until } from "./until.ts"

/** Resolves to true if something listens on a port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy() !== undefined))
    socket.once("error", () => resolve(false))
  })
}

/** Starts HAProxy with a configuration. @param port that the configuration binds. */
export function startHAProxy(port: number, configuration: string): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), "fw-haproxy-"))
  const file = join(directory, "haproxy.cfg")
  writeFileSync(file, configuration)
  return createTestServer(port, directory, async () => {
    const child = spawn("/usr/sbin/haproxy", ["-db", "-f", file], { stdio: "ignore" })
    endWithTest(child)
    await until(async () => child.exitCode !== null || (await isListening(port)))
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}. Install it: see .ci/run`)
    return child
  })
}
