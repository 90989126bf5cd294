/** Adds up the times of operations. Of operations that run at the same time, each moment counts once. */

/** The time in which at least one of several operations ran. */
export interface TotalTime {
  /** The time in milliseconds. */
  readonly ms: number
  /** The latest end of an operation. */
  readonly latestEnd: number
}

export const noTime: TotalTime = { ms: 0, latestEnd: 0 }

/** Adds an operation to a total. Operations are added in the order of their starts or of their ends. */
export function addTime({ ms, latestEnd }: TotalTime, { start, end }: { start: number; end: number }): TotalTime {
  return { ms: ms + Math.max(0, end - Math.max(start, latestEnd)), latestEnd: Math.max(latestEnd, end) }
}
