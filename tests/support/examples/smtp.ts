/** A mail server on this machine, which keeps what it gets (RFC 5321). */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** A running server. */
export interface MailServer {
  readonly url: string
  /** Mails as they were sent: header and text, the lines joined again. */
  readonly mails: readonly string[]
  /** Resolves when there is another mail, with its text. */
  next(): Promise<string>
  stop(): Promise<void>
}

/** Starts it on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const waiting: ((mail: string) => void)[] = []
  const sockets = new Set<Socket>()
  const take = (data: string) => {
    // Quoted-printable (RFC 2045 §6.7): long lines were cut.
    const mail = data
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    mails.push(mail)
    for (const resolve of waiting.splice(0)) resolve(mail)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    talk(socket.setEncoding("latin1"), take)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}

/** Answers every command with success. */
function talk(socket: Socket, take: (data: string) => void): void {
  let text = ""
  let inData = false
  socket.write("220 mail\r\n")
  socket.on("data", (chunk: string) => {
    text += chunk
    for (;;) {
      const end = text.indexOf(inData ? "\r\n.\r\n" : "\r\n")
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + (inData ? 5 : 2))
      if (inData) take(part)
      inData = !inData && /^DATA$/i.test(part)
      socket.write(inData ? "354 go on\r\n" : /^EHLO/i.test(part) ? "250 8BITMIME\r\n" : "250 done\r\n")
      if (/^QUIT/i.test(part)) socket.end()
    }
  })
}
