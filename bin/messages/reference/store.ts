/** The error reference of `fw/store`. */
import { storeMessages } from "../../../lib/messages/store.ts"
import { type Entry, entriesOf } from "./entry.ts"

export const store: readonly Entry[] = entriesOf(storeMessages, {
  store: [
    "A store was used with a capability that its engine does not have, with an argument that is not valid, or after it was closed; or `sqliteStore()` cannot open its file.",
    {
      "store.capability": ["store.topic", "topic", "sqlite", undefined],
      "store.methods": ["session()", "kv", ["compareAndSet"]],
      "store.key": ["kv.get()", ""],
      "store.prefix": ["redisStore()", ""],
      "store.value": ["kv.set()", undefined],
      "store.lossy": [
        "kv.set()",
        { what: "a Map", at: " at user.roles", becomes: "{}", instead: "Object.fromEntries(map)" },
      ],
      "store.seconds": ["kv.set()", "ttl", 0],
      "store.count": ["log.read()", "limit", 0, 1_000_000],
      "store.token": ["lock.release()", undefined],
      "store.subscriber": [undefined],
      "store.when_gone": ["wait"],
      "store.closed": ["kv.get()"],
      "store.workers": ["4"],
      "store.sqlite": ["Node 20.19.0"],
      "store.sqlite_runtime": [],
      "store.redis_client": [undefined],
      "store.postgres_pool": [undefined],
      "store.postgres_prefix": ["fw:"],
      "store.file": ["/no/such/state.db"],
      "store.file_url": [],
      "store.file_damaged": ["data/state.db"],
      "store.file_locked": ["data/state.db"],
    },
  ],
  store_unavailable: [
    "The engine of a store did not do a call: its server cannot be reached, refuses it, or did not answer a call that only reads. The cause of the error has the reason. Nothing was changed, so a program can repeat the call. `session()` answers 503; `rateLimit()` does what its option `onFailure` says.",
    { store_unavailable: ["kv.get()", "Redis", "did not answer in 2 s"] },
  ],
  store_unknown: [
    "The connection failed, or the time limit passed, after a call that changes something was sent. The server may have done it or not. fw does not repeat such a call: a counter would count twice. Repeat it if doing it twice is harmless, as it is for `kv.set()`.",
    { store_unknown: ["counter.hit()", "Redis", "closed the connection"] },
  ],
})
