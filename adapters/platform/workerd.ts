/** `#platform` on workers, which have no disk and no server of their own. */
import type { Env, Platform } from "../../lib/platform.ts"
import { answerWorker } from "../workerd/answer-worker.ts"
import { basePlatform } from "./base.ts"

/** The workers' implementation of the platform. */
export const platform: Platform = {
  ...basePlatform,
  // Only in exactly this spelling. Brotli came with a compatibility date of 2024.
  decodes: (contentEncoding) => contentEncoding === "gzip" || (contentEncoding === "br" && decodesBrotli()),
  env: { ...basePlatform.env, channel: findChannel() },
  fetch: answerWorker,
  waitForReads,
}

/** Returns the channels of the flag `nodejs_compat`. They are not imported, because a worker without the flag would not start. */
function findChannel(): Env["channel"] {
  const node = Reflect.get(globalThis, "process") as { getBuiltinModule?(name: string): Pick<Env, "channel"> }
  return node?.getBuiltinModule?.("node:diagnostics_channel")?.channel
}

function decodesBrotli(): boolean {
  const { Cloudflare } = globalThis as { Cloudflare?: { compatibilityFlags?: Record<string, boolean> } }
  return Cloudflare?.compatibilityFlags?.brotli_content_encoding !== false
}

/** Streams of the runtime answer in a turn of the event loop. */
function waitForReads(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
