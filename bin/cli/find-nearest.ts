/** Finds the word that a mistyped one probably stands for. */

/** Returns the candidate nearest to a word, or undefined if none is near enough. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  let best: string | undefined
  // Allows one mistake in short words, and about one in three letters in longer ones.
  let maxDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distanceToCandidate = countEdits(lower, candidate.toLowerCase())
    if (distanceToCandidate < maxDistance) [best, maxDistance] = [candidate, distanceToCandidate]
  }
  return best ?? (lower.length > 1 ? candidates.find((candidate) => candidate.startsWith(lower)) : undefined)
}

/**
 * Returns how many letters must be inserted, deleted, replaced or swapped with a neighbour to turn one word into
 * the other.
 */
function countEdits(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const steps = [getValue(row, j) + 1, getValue(next, j - 1) + 1, getValue(row, j - 1) + (same ? 0 : 1)]
      if (swapped) steps.push(getValue(before, j - 2) + 1)
      next.push(Math.min(...steps))
    }
    before = row
    row = next
  }
  return getValue(row, b.length)
}

function getValue(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
