/** A local mail server (the package smtp-server) that stores the mails that it gets. */
import { once } from "node:events"
import { createRequire } from "node:module"
import type { AddressInfo, Server } from "node:net"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { installTools } from "../tools.ts"

/** The packages, including one that inlines styles into elements. */
export const load = createRequire(join(await installTools(["smtp-server@3.21.6", "juice@11.1.1"]), "index.js"))

/** A running server. */
export interface MailServer {
  readonly url: string
  /** Mails as they were sent, with their lines joined again. */
  readonly mails: readonly string[]
  /** Resolves with the text of the next mail. */
  next(): Promise<string>
  stop(): Promise<void>
}

interface Session {
  readonly envelope: { readonly rcptTo: readonly { readonly address: string }[] }
}

interface SMTPOptions {
  readonly authOptional: boolean
  readonly disabledCommands: readonly string[]
  onRcptTo(recipient: { readonly address: string }, session: Session, done: (error?: Error) => void): void
  onData(stream: Readable, session: Session, done: (error?: Error) => void): void
}

/**
 * Starts the server on a free port. @param refuses returns the answer for an address that the server refuses, such as
 * `550 there is no such person`.
 */
export async function startMailServer(
  refuses = (_address: string): string | undefined => undefined,
): Promise<MailServer> {
  const { SMTPServer } = load("smtp-server") as { SMTPServer: new (options: SMTPOptions) => SMTPListener }
  const mails: string[] = []
  const waiting: ((mail: string) => void)[] = []
  const listener = new SMTPServer({
    authOptional: true,
    // The server's own certificate is not trusted, so it does not offer STARTTLS.
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const answer = refuses(address)
      const error = new Error(answer?.slice(4))
      done(answer === undefined ? undefined : Object.assign(error, { responseCode: Number.parseInt(answer, 10) }))
    },
    async onData(stream, _session, done) {
      // Decodes quoted-printable (RFC 2045 §6.7).
      const mail = (await text(stream))
        .replace(/=\r\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      mails.push(mail)
      done()
      for (const resolve of waiting.splice(0)) resolve(mail)
    },
  })
  const server = listener.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    stop: () => new Promise((resolve) => listener.close(resolve)),
  }
}

interface SMTPListener {
  listen(port: number, host: string): Server
  close(done: () => void): void
}
