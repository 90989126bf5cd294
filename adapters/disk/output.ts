/**
 * Standard output and standard error on Node. Text is written in batches, and the rest when the process ends.
 */
import { writeSync } from "node:fs"
import { setImmediate } from "node:timers"
import type { Output } from "../../lib/platform.ts"

/** The members of `process.stdout` that fw uses. */
export interface ProcessStream {
  readonly fd: number
  readonly isTTY?: boolean
}

/** `fs.writeSync`, which tests replace. Returns the number of bytes that were written. */
export type WriteSync = (fd: number, bytes: Uint8Array, offset: number, length: number) => number

/** A batch with this many characters is written without waiting for more. */
const maxBatchChars = 16 * 1024
/**
 * If this many bytes are waiting, the process blocks until the reader has caught up, so that memory stays limited.
 */
const maxPendingBytes = 8 * 1024 * 1024
/**
 * `PIPE_BUF` of Linux. A pipe accepts this many bytes as a whole or not at all (POSIX), so that lines of several
 * processes are not mixed.
 */
const pipeBufferBytes = 4096
/** Milliseconds before a write to a full pipe is repeated. */
const retryDelayMs = 10
/**
 * If the process waits for a reader for this many milliseconds and the reader takes nothing, the output is given up.
 */
const stalledReaderMs = 10_000

/**
 * Returns an output for a stream of the process.
 *
 * Text is collected until the end of the current turn of the event loop. So, unless a pipe is full, no text is waiting
 * while the process waits for events, and a signal loses nothing. Writes are synchronous, because at exit nobody would
 * know what an asynchronous write has written. A terminal gets each text at once.
 *
 * Reading `fd` from `process.stdout` makes a pipe non-blocking. So a slow reader does not block the event loop until
 * {@link maxPendingBytes} are waiting; a timer repeats the write.
 */
export function createOutput(stream: ProcessStream, write: WriteSync = writeSync): Output {
  const output = new BatchedOutput(stream.fd, stream.isTTY === true, write)
  // Node emits "exit" on process.exit(), after an uncaught exception, and when nothing is left to do.
  process.on("exit", () => output.finish())
  return output
}

class BatchedOutput implements Output {
  readonly isTerminal: boolean
  readonly #fd: number
  readonly #write: WriteSync
  /** The text of the current batch. */
  #batch = ""
  /** True if the batch will be written at the end of the current turn of the event loop. */
  #isFlushScheduled = false
  /** Batches that wait because the pipe is full. Of the first one, the bytes before `#offset` are already written. */
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

  /** Writes the batch now if it must not wait for more text, otherwise at the end of the turn of the event loop. */
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
   * Writes everything that is waiting, and waits for a slow reader. Text that other exit handlers write later is
   * written at once.
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

  /** Writes waiting batches. Returns true if nothing is left, and false if the pipe is full. */
  #drain(): boolean {
    try {
      while (this.#pendingBatches.length > 0) this.#writePiece(this.#pendingBatches[0] as Buffer)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false
      // The reader has gone (EPIPE), or the disk is full. A log that cannot be written must not end the program.
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

/** Returns the length of the next piece: as many whole lines as a pipe accepts at once, or one line that is longer. */
function findPieceLength(bytes: Buffer, start: number): number {
  if (bytes.length - start <= pipeBufferBytes) return bytes.length - start
  const last = bytes.lastIndexOf(10, start + pipeBufferBytes - 1)
  if (last >= start) return last + 1 - start
  const next = bytes.indexOf(10, start + pipeBufferBytes)
  return (next < 0 ? bytes.length : next + 1) - start
}
