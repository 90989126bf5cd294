/** Compares words to find spelling mistakes. */

/** Returns true if adding, removing, changing or swapping one letter turns one word into the other. */
export function isWithinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const [restA, restB] = [a.slice(start), b.slice(start)]
  const isSwapped = restA.length > 1 && restA[0] === restB[1] && restA[1] === restB[0]
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (isSwapped && restA.slice(2) === restB.slice(2))
  )
}
