/** Messages about stores: about wrong calls, and about engines that fail. */
import type { LossyPart } from "../lossy-part.ts"
import { describeType, formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

/** Returns a value as text for a message. A long text is replaced by its length. */
function shorten(value: unknown): string {
  return typeof value === "string" && value.length > 40 ? `a text of ${value.length} characters` : formatValue(value)
}

/** The rules for arguments. */
const argumentRules = {
  key: "A key is a text of 1 to 512 characters, without U+0000 and half surrogate pairs. Use a digest of longer texts.",
  prefix:
    'A prefix is the beginning of names, such as "shop:". It has 1 to 128 characters. Leave it out for the usual one.',
  tables: "It is the beginning of the names of tables: a letter or _, then small letters, digits and _, at most 30.",
  seconds: "Write seconds, from 0.001 to 3,155,760,000, which is a hundred years.",
  token: "Pass the number that lock.acquire() returned.",
  whenGone: 'Write "continue" or "stop".',
}

export const storeMessages = {
  "store.capability": (use: string, capability: string, engine: string | undefined, value: unknown) => [
    engine === undefined
      ? `${use} needs a store with ${capability}, and was given ${describeType(value)}${typeof value === "object" && value !== null && !(value instanceof Promise) ? " without it" : ""}`
      : `${use} needs ${capability}, which the engine ${engine} does not have`,
    capability === "topic" && engine === "sqlite"
      ? "SQLite has no messages to other processes. Use redisStore() or postgresStore()."
      : `Pass a store of fw/store, such as redisStore(client), or an object with a ${capability} of your own.`,
  ],
  "store.methods": (use: string, capability: string, missing: readonly string[]) => [
    `the ${capability} of the store that ${use} was given has no ${missing.map((name) => `${name}()`).join(", ")}`,
    "Pass a store of fw/store, such as redisStore(client). A store of your own needs every method: the page about stores has an example.",
  ],
  "store.argument": (call: string, name: string, value: unknown, rule: keyof typeof argumentRules) => [
    `${call} was given ${shorten(value)} as ${name}`,
    argumentRules[rule],
  ],
  "store.value": (call: string, value: unknown) => [
    `${call} was given ${describeType(value)}, which JSON cannot represent`,
    "Pass plain data: texts, numbers, booleans, null, arrays and objects of these.",
  ],
  "store.lossy": (call: string, { description, position, json, replacement }: LossyPart) => [
    `${call} was given data with ${description}${position}, which is ${json} in JSON`,
    `Pass ${replacement}.`,
  ],
  "store.count": (call: string, option: string, value: unknown, maxCount: number) => [
    `${call} was given ${shorten(value)} as ${option}`,
    `Write a whole number from 1 to ${maxCount}.`,
  ],
  "store.subscriber": (value: unknown) => [
    `topic.subscribe() was given ${describeType(value)} as the subscriber`,
    "Write { message(data) { … }, gap() { … } }.",
  ],
  "store.closed": (call: string) => [
    `${call} was called after store.close()`,
    "Let the app close it at its end: app.onShutdown(() => store.close()).",
  ],
  "store.workers": (workers: string) => [
    `memoryStore() was called in a program with ${workers} workers, each of which would have values of its own`,
    "Use sqliteStore(file) on one machine, or redisStore(client) or postgresStore(pool). Or run one worker: leave out FW_WORKERS.",
  ],
  "store.sqlite": (call: string, version: string) => [
    `${call} needs SQLite, and ${version} has none`,
    "Use Node 22.13 or later, Deno or Bun, or add a better-sqlite3 for this Node to the project: npm install better-sqlite3@12",
  ],
  "store.sqlite_runtime": (call: string) => [
    `${call} needs a disk, which this runtime does not have`,
    "Use another engine: redisStore() or postgresStore() for state.",
  ],
  "store.redis_client": (value: unknown) => [
    `redisStore() takes a client of the package redis from version 4, or of ioredis from version 5, not ${describeType(value)}`,
    "Write redisStore(createClient({ url })) or redisStore(new Redis(url)). Pools and clusters are other objects.",
  ],
  "store.postgres_pool": (value: unknown) => [
    `postgresStore() takes a pool of the package pg, not ${describeType(value)}`,
    "Write postgresStore(new Pool({ connectionString })).",
  ],
  "store.file": (call: string, file: unknown) => [
    `${call} cannot open ${formatValue(file)}`,
    'Write the path of a file in a directory that the process can write to, such as "data/state.db".',
  ],
  "store.file_url": (call: string) => [
    `${call} was given a URL, and takes the path of a file`,
    'Write the path of a file, such as "data/state.db". For a server, use its engine.',
  ],
  "store.file_damaged": (call: string, file: string) => [
    `${call} cannot open ${JSON.stringify(file)}, because it is not a database of SQLite, or is damaged`,
    "Write another path, or move the file away. Then a new, empty database is created.",
  ],
  "store.file_locked": (call: string, file: string) => [
    `${call} cannot open ${JSON.stringify(file)}, because another process has locked it for too long`,
    "End the process that has it open, such as a tool that looks into it.",
  ],
  store_unavailable: (call: string, engine: string, problem: string) => [
    `${call} was not done: ${engine} ${problem}`,
    engine === "SQLite"
      ? "The call had no effect and can be repeated. The cause says what to check: the file, its disk or its rights."
      : "The call had no effect and can be repeated. The cause says what to check: the server, the network, or the user, the password and the rights.",
  ],
  store_unknown: (call: string, engine: string, problem: string) => [
    `${call} may have been done or not: ${engine} ${problem}`,
    "fw does not repeat it, because the change could then be made twice. Read the value before you repeat it.",
  ],
} satisfies Messages
