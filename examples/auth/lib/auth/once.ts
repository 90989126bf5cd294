/**
 * Secrets that can be used once, in links of mails and in sign-ins that have started. The store and the session
 * contain only digests.
 */
import type { Context } from "fw"
import { computeDigest } from "./secrets.ts"
import { store } from "./store.ts"

/** What a secret is for. */
type Use = "reset" | "verify" | "invitation" | "device" | "state" | "challenge" | "new passkey"
/** The data that is stored with a secret. */
type Facts = Readonly<Record<string, string>>

/** Stores the data of a secret by its digest, for some seconds. */
export async function keepFacts(use: Use, digest: string, facts: Facts, seconds: number): Promise<void> {
  await store.kv.set(`${use} ${digest}`, facts, { ttl: seconds })
}

/** Returns the data of a secret; undefined if it is unknown, was used, or has expired. */
export function readFacts(use: Use, digest: string): Promise<Facts | undefined> {
  return store.kv.get(`${use} ${digest}`)
}

/** Returns the data of a secret once: of two requests, only one gets it. */
export async function takeFacts(use: Use, digest: string): Promise<Facts | undefined> {
  const facts = await readFacts(use, digest)
  return facts && (await store.kv.delete(`${use} ${digest}`)) ? facts : undefined
}

/** The seconds in which a browser has to finish a sign-in with a provider or a passkey. */
export const browserSeconds = 300
/** The number of tabs of a browser that may sign in at the same time. */
const maxTabs = 8

/** Stores the data of a secret that only this browser may use. */
export async function keepForBrowser(c: Context, use: Use, secret: string, facts: Facts = {}): Promise<void> {
  const digest = computeDigest(secret)
  await keepFacts(use, digest, facts, browserSeconds)
  c.session.set("secrets", [digest, ...(c.session.get("secrets") ?? [])].slice(0, maxTabs))
}

/** Returns the data of a secret of this browser, once: a second call returns undefined. */
export async function takeFromBrowser(c: Context, use: Use, secret: string): Promise<Facts | undefined> {
  const digests = c.session.get("secrets") ?? []
  const digest = computeDigest(secret)
  if (!digests.includes(digest)) return undefined
  c.session.set(
    "secrets",
    digests.filter((item) => item !== digest),
  )
  return takeFacts(use, digest)
}
