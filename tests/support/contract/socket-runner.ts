/** Runs a socket case against a server, over a real connection. */
import type { IncomingMessage } from "node:http"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { until } from "../store/until.ts"
import { check } from "./runner.ts"
import type { SocketCase, SocketStep } from "./socket-case.ts"

/** A client's connection that keeps its messages until the case reads them, so that none is missed. */
class Talk {
  readonly #client: WebSocket
  readonly #said: (string | Uint8Array)[] = []
  #closed: readonly [code: number, reason: string] | undefined
  #wake: () => void = () => {}

  constructor(client: WebSocket) {
    this.#client = client
    client.on("message", (data: Buffer, isBinary) => {
      this.#said.push(isBinary ? new Uint8Array(data) : data.toString())
      this.#wake()
    })
    client.on("close", (code, reason) => {
      this.#closed = [code, reason.toString()]
      this.#wake()
    })
    client.on("error", () => {})
  }

  async step(step: SocketStep, name: string): Promise<void> {
    if ("send" in step) this.#client.send(step.send)
    else if ("flood" in step) for (let i = 0; i < step.flood; i++) this.#client.send(String(i))
    else if ("close" in step) this.#client.close(...step.close)
    else if ("leave" in step) this.#client.terminate()
    else if ("expect" in step) {
      const said = await this.#until(() => this.#said.shift())
      assert.equal(said, step.expect, `${name}: the client received ${String(said)}`)
    } else assert.equal(await this.#until(() => this.#closed), step.closed, name)
  }

  /** Closes the connection if it is still open. */
  async leave(): Promise<void> {
    this.#client.close()
    await this.#until(() => this.#closed)
  }

  async #until<T>(look: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = look()
      if (found !== undefined || this.#closed) return found
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/**
 * Sends the upgrade request of a case, and checks everything that follows.
 *
 * @param port of a server on 127.0.0.1. @param extra headers that name the case to a program that serves all cases.
 */
export async function runSocketCase(
  one: SocketCase,
  port: number,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { name, path = "/", headers = {}, protocols = [], steps = [], accepted = {} } = one
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], {
    headers: { ...headers, ...extra },
    perMessageDeflate: false,
  })
  const talk = new Talk(client)
  const answer = await new Promise<IncomingMessage | Error>((resolve) => {
    client.on("upgrade", resolve)
    client.on("unexpected-response", (_, response) => resolve(response))
    client.on("error", resolve)
  })
  if (answer instanceof Error) throw answer
  if (one.refused) return refusal(one, answer)
  assert.is(answer.statusCode, 101, `${name}: the upgrade was refused with ${answer.statusCode}`)
  if (accepted.protocol !== undefined) assert.is(client.protocol, accepted.protocol, name)
  for (const [header, value] of Object.entries(accepted.headers ?? {}))
    assert.is(String(answer.headers[header]), value, `${name}: ${header}`)
  for (const step of steps) await talk.step(step, name)
  await talk.leave()
  const { notes } = one
  if (notes) await until(async () => notes.test(await askForNotes(port, extra)))
}

async function askForNotes(port: number, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/notes`, {
    headers: { connection: "close", ...headers },
  })
  return answer.text()
}

async function refusal({ name, refused }: SocketCase, answer: IncomingMessage): Promise<void> {
  let body = ""
  answer.setEncoding("utf8")
  for await (const piece of answer) body += piece
  const { statusCode: status = 0, headers } = answer
  const plain = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  const seen = {
    headers: Object.fromEntries(plain),
    cookies: headers["set-cookie"] ?? [],
    length: "",
    broken: false,
  }
  check({ ...seen, status, body }, refused ?? {}, name)
}
