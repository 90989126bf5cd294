/**
 * The interface of an engine. It has the capabilities of a store, for texts that were checked and encoded before, with
 * times in milliseconds.
 */
import type { Capability } from "./types.ts"

/** A subscriber that gets encoded messages. */
export interface TextSubscriber {
  message(text: string): void
  gap(): void
}

/**
 * A position in a log: the epoch of the log, and the number of an entry, from 1. Each log has an epoch of its own, made
 * from the time at which it began.
 */
export interface Position {
  readonly epoch: number
  readonly number: number
}

/** Entries of a log after a position, and the range of entries that are stored. */
export interface LogSlice {
  /** The first and the last stored entry; undefined if the log is empty. */
  readonly stored: { readonly first: Position; readonly last: Position } | undefined
  /** The entries with their numbers. Their epoch is that of `stored`. */
  readonly entries: readonly (readonly [number: number, text: string])[]
}

/** The capabilities of an engine. */
export interface EngineCapabilities {
  readonly kv: {
    get(key: string): Promise<string | null | undefined>
    /** @param ttl milliseconds; undefined for no limit. */
    set(key: string, text: string, ttl: number | undefined): Promise<unknown>
    delete(key: string): Promise<boolean>
    compareAndSet(
      key: string,
      expected: string | undefined,
      text: string | undefined,
      ttl: number | undefined,
    ): Promise<boolean>
  }
  readonly counter: {
    /** Returns the count, and the milliseconds until the window ends. */
    hit(key: string, window: number): Promise<readonly [count: number, rest: number]>
  }
  readonly lock: {
    acquire(key: string, lease: number): Promise<number | undefined>
    renew(key: string, token: number, lease: number): Promise<boolean>
    release(key: string, token: number): Promise<boolean>
  }
  readonly topic: {
    publish(topic: string, text: string): Promise<unknown>
    subscribe(topic: string, subscriber: TextSubscriber): Promise<() => Promise<void>>
  }
  readonly log: {
    append(log: string, text: string, maxEntries: number, ttl: number): Promise<Position>
    /** Reads the entries after a position. If the position has another epoch, reads from the first entry. */
    read(log: string, after: Position, limit: number): Promise<LogSlice>
  }
}

/** An engine with some capabilities. */
export type Engine<Has extends Capability> = Pick<EngineCapabilities, Has> & {
  readonly name: string
  close(): Promise<void>
}
