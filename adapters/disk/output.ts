/** Standard output and error on Node. Lines are written in batches, and none is lost when the process ends. */
import { writeSync } from "node:fs"
import { setImmediate } from "node:timers"
import type { Output } from "../../lib/platform.ts"

/** The part of `process.stdout` that is used. */
export interface ProcessStream {
  readonly fd: number
  readonly isTTY?: boolean
}

/** `fs.writeSync`, or a replacement in a test: returns the number of bytes written. */
export type WriteSync = (fd: number, bytes: Uint8Array, offset: number, length: number) => number

/** A batch of this many characters is written at once. */
const maxBatchChars = 16 * 1024
/**
 * With this many pending bytes, the process blocks until the reader catches up, so that its memory stays limited.
 */
const maxPendingBytes = 8 * 1024 * 1024
/**
 * POSIX `PIPE_BUF` on Linux: a pipe accepts this many bytes as a whole or not at all, so that lines of
 * several processes do not mix.
 */
const pipeBufferBytes = 4096
/** Milliseconds before a write to a full pipe is tried again. */
const retryDelayMs = 10
/** A reader that takes nothing for this many milliseconds, while the process waits for it, gets no more output. */
const stalledReaderMs = 10_000

/**
 * Returns an output for a stream of the process. Lines are collected until the end of the event loop's turn, so nothing
 * is pending that a signal could lose while the process waits for events. They are written synchronously, because
 * otherwise nobody would know at exit what has been written. A terminal gets each line at once. Reading `fd` from
 * `process.stdout` makes a pipe non-blocking, so a timer waits for a slow reader and does not block the event loop.
 */
export function createOutput(stream: ProcessStream, write: WriteSync = writeSync): Output {
  const output = new BatchedOutput(stream.fd, stream.isTTY === true, write)
  // Emitted on process.exit(), after an uncaught exception, and when nothing is left to do.
  process.on("exit", () => output.finish())
  return output
}

class BatchedOutput implements Output {
  readonly isTerminal: boolean
  readonly #fd: number
  readonly #write: WriteSync
  /** The lines of the batch. */
  #batch = ""
  /** True if the end of the turn will be noticed. */
  #isFlushScheduled = false
  /** Batches that a full pipe has not accepted yet; of the first one, only the bytes from `#offset` on. */
  #pendingBatches: Buffer[] = []
  #offset = 0
  #pendingBytes = 0
  #timer: NodeJS.Timeout | null = null
  #isFinished = false

  constructor(fd: number, isTerminal: boolean, write: WriteSync) {
    this.#fd = fd
    this.isTerminal = isTerminal
    this.#write = write
  }

  write(text: string): void {
    this.#batch += text
    if (!this.#isFlushScheduled || this.#batch.length >= maxBatchChars) this.#scheduleFlush()
  }

  /** Writes the batch at once if it need not wait for more lines, otherwise at the end of the turn. */
  #scheduleFlush(): void {
    if (this.#isFinished) this.finish()
    else if (this.isTerminal || this.#batch.length >= maxBatchChars) this.#flush()
    else if (!this.#timer) {
      this.#isFlushScheduled = true
      setImmediate(() => {
        this.#isFlushScheduled = false
        this.#flush()
      })
    }
  }

  /**
   * Writes all pending lines and waits for a slow reader. Later lines, from other exit handlers, are written
   * at once.
   */
  finish(): void {
    this.#isFinished = true
    this.#isFlushScheduled = false
    this.#queueBatch()
    this.#drainBlocking()
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#queueBatch()
    if (this.#drain()) return
    if (this.#pendingBytes > maxPendingBytes) this.#drainBlocking()
    else this.#timer = setTimeout(() => this.#flush(), retryDelayMs).unref()
  }

  #queueBatch(): void {
    if (this.#batch === "") return
    const bytes = Buffer.from(this.#batch)
    this.#batch = ""
    this.#pendingBatches.push(bytes)
    this.#pendingBytes += bytes.length
  }

  #drainBlocking(): void {
    let bytesLeft = this.#pendingBytes
    let deadline = Date.now() + stalledReaderMs
    while (!this.#drain()) {
      if (this.#pendingBytes < bytesLeft) deadline = Date.now() + stalledReaderMs
      else if (Date.now() > deadline) this.#drop()
      bytesLeft = this.#pendingBytes
      Atomics.wait(sleepCell, 0, 0, 2)
    }
  }

  /** Writes until nothing is left (returns true) or the pipe is full (returns false). */
  #drain(): boolean {
    try {
      while (this.#pendingBatches.length > 0) this.#writePiece(this.#pendingBatches[0] as Buffer)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false
      // The reader has gone (EPIPE) or the disk is full. A failing log must not end the program.
      this.#drop()
      return true
    }
  }

  #writePiece(bytes: Buffer): void {
    const length = findPieceLength(bytes, this.#offset)
    const writtenBytes = this.#write(this.#fd, bytes, this.#offset, length)
    this.#pendingBytes -= writtenBytes
    this.#offset += writtenBytes
    if (this.#offset < bytes.length) return
    this.#pendingBatches.shift()
    this.#offset = 0
  }

  #drop(): void {
    this.#pendingBatches = []
    this.#offset = 0
    this.#pendingBytes = 0
  }
}

const sleepCell = new Int32Array(new SharedArrayBuffer(4))

/** Returns the length of as many whole lines as a pipe accepts at once, or of one longer line. */
function findPieceLength(bytes: Buffer, start: number): number {
  if (bytes.length - start <= pipeBufferBytes) return bytes.length - start
  const last = bytes.lastIndexOf(10, start + pipeBufferBytes - 1)
  if (last >= start) return last + 1 - start
  const next = bytes.indexOf(10, start + pipeBufferBytes)
  return (next < 0 ? bytes.length : next + 1) - start
}
