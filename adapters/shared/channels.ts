/** The channels to which telemetry and metrics listen. */
import { channel } from "node:diagnostics_channel"

/** Bun forgets a channel that nothing holds, with its subscribers. */
const heldChannels: object[] = []

/** Returns a channel that stays. */
export function hold(name: string) {
  const found = channel(name)
  heldChannels.push(found)
  return found
}

/** Calls a function with each message of a channel. */
export function listen(name: string, listener: (message: unknown) => void): void {
  hold(name).subscribe(listener)
}
