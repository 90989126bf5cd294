/** Finds the word that a mistyped one probably stands for. */

/** Returns the candidate nearest to a word, or undefined if none is near enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  let best: string | undefined
  // One mistake for short words, about one in three letters for longer ones.
  let bound = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const far = distance(lower, candidate.toLowerCase())
    if (far < bound) [best, bound] = [candidate, far]
  }
  return best ?? (lower.length > 1 ? candidates.find((candidate) => candidate.startsWith(lower)) : undefined)
}

/**
 * Returns the number of letters to insert, delete, replace or swap with a neighbour to turn one word into the
 * other.
 */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const steps = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1)]
      if (swapped) steps.push(at(before, j - 2) + 1)
      next.push(Math.min(...steps))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
