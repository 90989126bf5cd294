/** Reads the headers of tar archives (POSIX.1-2017, pax, "ustar Interchange Format"). */

/** Size of a header, and of the blocks that a file fills, in bytes. */
export const tarBlock = 512

/** The start of a header of the format. */
export interface TarHeader {
  readonly path: string
  /** In bytes; NaN if the header has no number. */
  readonly size: number
  /** False for directories, links and notes of the format. */
  readonly isFile: boolean
}

/** Parses a header. */
export function readTarHeader(header: Buffer): TarHeader {
  const text = (from: number, to: number) => header.toString("utf8", from, to).split("\0")[0] as string
  const prefix = text(345, 500)
  return {
    path: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    size: Number.parseInt(text(124, 136).trim() || "0", 8),
    isFile: ["", "0"].includes(text(156, 157)),
  }
}

/** Returns the number of bytes between the end of a file and the next header. */
export function tarPadding(size: number): number {
  return (tarBlock - (size % tarBlock)) % tarBlock
}
