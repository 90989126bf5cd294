/** Listens to notifications of PostgreSQL, on a connection of its own. */
import type { OpeningConnection } from "../reconnector.ts"
import type { Listener, Receiver } from "../topic-subscriptions.ts"
import { destroyClient, type Pool } from "./client.ts"

/** Maximum size of a notification. PostgreSQL allows less than 8,000 bytes. */
const maxNotificationBytes = 7_900
const encoder = new TextEncoder()

/**
 * Returns the channel for a topic. The name of a channel has at most 63 bytes, so it is a hash. The notification
 * contains the topic itself.
 */
export function toChannelName(prefix: string, topic: string): string {
  let [firstHash, secondHash] = [0x811c9dc5, 0x9747b28c]
  for (const byte of encoder.encode(topic)) {
    firstHash = Math.imul(firstHash ^ byte, 0x01000193) >>> 0
    secondHash = Math.imul(secondHash ^ byte, 0x85ebca6b) >>> 0
  }
  const hexadecimal = (number: number) => number.toString(16).padStart(8, "0")
  return `${prefix}topic_${hexadecimal(firstHash)}${hexadecimal(secondHash)}`
}

/**
 * Returns the beginning of a notification. After `=` the text follows, after `@` the number of the row that contains
 * the text.
 */
export function formatHead(topic: string, kind: "=" | "@"): string {
  return `${kind}${topic.length}:${topic}`
}

/** Returns true if a text is short enough for a notification. */
export function fitsNotification(topic: string, text: string): boolean {
  // UTF-8 needs at most 3 bytes per UTF-16 unit.
  if ((topic.length + text.length) * 3 < maxNotificationBytes) return true
  return encoder.encode(topic).length + encoder.encode(text).length < maxNotificationBytes
}

/** Opens a connection and listens on it. */
export function openListener(pool: Pool, prefix: string, receiver: Receiver): OpeningConnection<Listener> {
  const client = new pool.Client(pool.options)
  const run = (text: string) => client.query(text)
  client.on("error", receiver.end)
  client.on("end", () => receiver.end(new Error("the connection was closed")))
  // Reading a text from the table takes time. Later messages wait, so that the order stays the same.
  let earlierMessages: Promise<unknown> = Promise.resolve()
  client.on("notification", ({ payload = "" }: { payload?: string }) => {
    const [head = "", kind, length] = /^([=@])(\d+):/.exec(payload) ?? []
    const topic = payload.slice(head.length, head.length + Number(length))
    const rest = payload.slice(head.length + topic.length)
    const readText = async () => {
      const text = `SELECT data FROM ${prefix}message WHERE id = $1`
      const { rows } = await client.query(text, [rest])
      return rows[0]?.data as string | undefined
    }
    const text = kind === "@" ? readText().catch(() => undefined) : Promise.resolve(rest)
    earlierMessages = Promise.all([text, earlierMessages]).then(([found]) => {
      if (found === undefined) receiver.gap(topic)
      else receiver.message(topic, found)
    })
  })
  const connection: Listener = {
    listen: (topic) => run(`LISTEN "${toChannelName(prefix, topic)}"`),
    unlisten: (topic) => run(`UNLISTEN "${toChannelName(prefix, topic)}"`),
    ping: () => run("SELECT 1"),
    destroy: () => destroyClient(client),
  }
  return { connection, ready: client.connect() }
}
