/** The interface of an engine: the capabilities, with texts that are checked and encoded already, and times in milliseconds. */
import type { Capability } from "./types.ts"

/** A subscriber of encoded messages. */
export interface TextSubscriber {
  message(text: string): void
  gap(): void
}

/**
 * A position in a log. The epoch is a number that no other log has, made from the time at which the log began. The
 * number is that of an entry, from 1.
 */
export interface Position {
  readonly epoch: number
  readonly number: number
}

/** The entries of a log after a position, and the range that the log has stored. */
export interface LogSlice {
  /** First and last stored entry; undefined if the log is empty. */
  readonly stored: { readonly first: Position; readonly last: Position } | undefined
  /** Entries with their numbers. All have the epoch of the stored ones. */
  readonly entries: readonly (readonly [number: number, text: string])[]
}

/** The capabilities of an engine. */
export interface EngineCapabilities {
  readonly kv: {
    get(key: string): Promise<string | null | undefined>
    /** @param ttl undefined: it stays. */
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
    /** Reads entries after a position of the current epoch; from the first one if its epoch is another. */
    read(log: string, after: Position, limit: number): Promise<LogSlice>
  }
}

/** An engine. */
export type Engine<Has extends Capability> = Pick<EngineCapabilities, Has> & {
  readonly name: string
  close(): Promise<void>
}
