/** Standard output and error on Node: lines in batches, none lost when the process ends. Called by the Node platform. */
import { writeSync } from "node:fs"
import type { Output } from "../../lib/platform.ts"

/** The part of `process.stdout` that is used. */
export interface ProcessStream {
  readonly fd: number
  readonly isTTY?: boolean
}

/** `fs.writeSync`, or what a test puts in its place: gives the number of bytes written. */
export type WriteSync = (fd: number, bytes: Uint8Array, offset: number, length: number) => number

/** A batch this large is written at once. */
const fullBatch = 16 * 1024
/** A reader this far behind makes the process wait, as it does with any blocking write, rather than fill its memory. */
const mostPending = 8 * 1024 * 1024
/** POSIX `PIPE_BUF` on Linux: a pipe takes so much whole or not at all, so lines of several processes never mix. */
const atom = 4096
const flushAfter = 10
/** A reader that takes nothing for so long while the process waits for it gets nothing more. */
const patience = 10_000

/**
 * An output over a process's stream. Lines wait up to 10 ms for company and are then written synchronously, which
 * alone leaves no doubt at exit about what has been written. A terminal gets them at once. Reading `fd` from
 * `process.stdout` has made a pipe non-blocking, so a slow reader is waited for by timer, not by the event loop.
 */
export function outputOf(stream: ProcessStream, write: WriteSync = writeSync): Output {
  const output = new BatchedOutput(stream.fd, stream.isTTY === true, write)
  // Comes on process.exit(), after an uncaught exception, and when nothing is left to do.
  process.on("exit", () => output.finish())
  return output
}

class BatchedOutput implements Output {
  readonly isTerminal: boolean
  readonly #fd: number
  readonly #write: WriteSync
  #batch = ""
  /** What a full pipe has not taken yet, a batch an entry, the first from `#offset` on. */
  #blocked: Buffer[] = []
  #offset = 0
  #blockedBytes = 0
  #timer: NodeJS.Timeout | null = null
  #finished = false

  constructor(fd: number, isTerminal: boolean, write: WriteSync) {
    this.#fd = fd
    this.isTerminal = isTerminal
    this.#write = write
  }

  write(text: string): void {
    this.#batch += text
    if (this.#finished) this.finish()
    else if (this.isTerminal || this.#batch.length >= fullBatch) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), flushAfter).unref()
  }

  /** Writes all that is pending, waiting for a slow reader. Later lines, from other exit handlers, are written at once. */
  finish(): void {
    this.#finished = true
    this.#seal()
    this.#drainWaiting()
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#seal()
    if (this.#drain()) return
    if (this.#blockedBytes > mostPending) this.#drainWaiting()
    else this.#timer = setTimeout(() => this.#flush(), flushAfter).unref()
  }

  #seal(): void {
    if (this.#batch === "") return
    const bytes = Buffer.from(this.#batch)
    this.#blocked.push(bytes)
    this.#blockedBytes += bytes.length
    this.#batch = ""
  }

  #drainWaiting(): void {
    let left = this.#blockedBytes
    let deadline = Date.now() + patience
    while (!this.#drain()) {
      if (this.#blockedBytes < left) deadline = Date.now() + patience
      else if (Date.now() > deadline) this.#drop()
      left = this.#blockedBytes
      Atomics.wait(clock, 0, 0, 2)
    }
  }

  /** Writes until nothing is left (true) or the pipe is full (false). */
  #drain(): boolean {
    try {
      while (this.#blocked.length > 0) this.#writePiece(this.#blocked[0] as Buffer)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false
      // The reader is gone (EPIPE), the disk is full: a log has nobody to tell, and must not end the program.
      this.#drop()
      return true
    }
  }

  #writePiece(bytes: Buffer): void {
    const length = pieceLength(bytes, this.#offset)
    const written = this.#write(this.#fd, bytes, this.#offset, length)
    this.#blockedBytes -= written
    this.#offset += written
    if (this.#offset < bytes.length) return
    this.#blocked.shift()
    this.#offset = 0
  }

  #drop(): void {
    this.#blocked = []
    this.#offset = 0
    this.#blockedBytes = 0
  }
}

const clock = new Int32Array(new SharedArrayBuffer(4))

/** As many whole lines as a pipe takes at once, or one line that is longer. */
function pieceLength(bytes: Buffer, start: number): number {
  if (bytes.length - start <= atom) return bytes.length - start
  const last = bytes.lastIndexOf(10, start + atom - 1)
  if (last >= start) return last + 1 - start
  const next = bytes.indexOf(10, start + atom)
  return (next < 0 ? bytes.length : next + 1) - start
}
