/** `#platform` on Cloudflare Workers, which have no disk and no server of their own. */
import type { Env, Platform } from "../../lib/platform.ts"
import type { Channel } from "../../lib/trace/channel.ts"
import { answerWorker } from "../workerd/answer-worker.ts"
import { basePlatform } from "./base.ts"

/** The implementation of the platform for workers. */
export const platform: Platform = {
  ...basePlatform,
  // workerd decodes only codings in these exact spellings, and Brotli only with a compatibility date from 2024 on.
  decodes: (contentEncoding) => contentEncoding === "gzip" || (contentEncoding === "br" && decodesBrotli()),
  env: { ...basePlatform.env, getChannel: findChannel() },
  fetch: answerWorker,
  waitForReads,
}

/**
 * Returns the function that opens channels; undefined without the flag `nodejs_compat`. Its module is not imported,
 * because a worker without the flag would not start.
 */
function findChannel(): Env["getChannel"] {
  const node = Reflect.get(globalThis, "process") as {
    getBuiltinModule?(name: string): { readonly channel?: Env["getChannel"] }
  }
  const channel = node?.getBuiltinModule?.("node:diagnostics_channel")?.channel
  return channel && ((name) => toChannel(channel(name)))
}

/** Returns a channel with the members that it has on Node. In workerd, `hasSubscribers` is a function. */
function toChannel(nodeChannel: Channel): Channel {
  const { hasSubscribers } = nodeChannel as { hasSubscribers: unknown }
  if (typeof hasSubscribers !== "function") return nodeChannel
  return {
    get hasSubscribers() {
      return hasSubscribers.call(nodeChannel) === true
    },
    publish: (message) => nodeChannel.publish(message),
    runStores: (message, run) => nodeChannel.runStores(message, run),
  }
}

function decodesBrotli(): boolean {
  const { Cloudflare } = globalThis as { Cloudflare?: { compatibilityFlags?: Record<string, boolean> } }
  return Cloudflare?.compatibilityFlags?.brotli_content_encoding !== false
}

/** Waits for a turn of the event loop, in which streams of the runtime return what they have. */
function waitForReads(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
