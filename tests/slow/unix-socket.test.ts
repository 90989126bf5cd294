/** Tests of a program on a Unix socket behind nginx: which client addresses and scheme it sees. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../adapters/node.ts"
import { App, rateLimit } from "../../lib/index.ts"
import { findFreePort } from "../support/free-port.ts"

const program = "/usr/sbin/nginx"

/**
 * Returns the configuration in docs/operations/server.md, with files in a folder of the test and in the foreground.
 */
const configuration = (folder: string, port: number) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://unix:${folder}/app.sock;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto https;
    }
  }
}
`

/** Resolves when a server listens on the port. */
async function listening(port: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const socket = connect(port, "127.0.0.1")
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

if (existsSync(program)) {
  test("behind nginx on a Unix socket, the program sees the client that nginx names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fw-nginx-"))
    const port = await findFreePort()
    const app = new App({ logger: false, trustedProxies: ["unix"] })
    app.use(rateLimit({ limit: 2 }))
    app.get("/", (c) => c.string(200, `${c.clientIP} ${c.origin}`))
    const server = createServer(nodeHandler(app)).listen(join(folder, "app.sock"))
    await once(server, "listening")
    writeFileSync(join(folder, "nginx.conf"), configuration(folder, port))
    const nginx = spawn(program, ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")], {
      stdio: "inherit",
    })
    const end = once(nginx, "exit")
    try {
      await listening(port, () => nginx.exitCode !== null)
      // A header that the client writes itself does not count.
      for (const status of [200, 200, 429]) {
        const answer = await fetch(`http://127.0.0.1:${port}/`, {
          headers: { "x-forwarded-for": "6.6.6.6, unix" },
        })
        assert.is(answer.status, status)
        if (status === 200) assert.is(await answer.text(), "127.0.0.1 https://127.0.0.1")
      }
    } finally {
      nginx.kill("SIGTERM")
      await end
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    }
  })
}

test.run()
