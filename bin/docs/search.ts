/** Searches words in the documentation. */
import { type DocsPage, splitSections, toPlainText } from "./pages.ts"

/** A section that contains words of the query. */
export interface DocsHit {
  /** Path of the page below `docs/`. */
  readonly page: string
  readonly title: string
  readonly heading: string
  readonly anchor: string
  /** Line number of the heading. */
  readonly line: number
  /** The text around the words. */
  readonly excerpt: string
}

/** The longest excerpt, in characters. */
const maxExcerptLength = 400

/** How much a word counts in a heading, a title or a path. */
const weights = { heading: 12, title: 6, path: 4 }

/** Returns the sections that have words of the query, the best first. */
export function searchDocs(pages: readonly DocsPage[], query: string): DocsHit[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_.$@:{}/-]+/gu) ?? [])].slice(0, 12)
  const hits = pages.flatMap((page) =>
    splitSections(page.text).map((section) => {
      const text = section.lines.join("\n")
      const fields = { heading: section.heading, title: page.title, path: page.path }
      return { page, section, text, score: scoreSection(words, fields, text) }
    }),
  )
  const sortedHits = hits.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return sortedHits.map(({ page, section: { heading, anchor, line }, text }) => ({
    page: page.path,
    title: page.title,
    heading: heading || page.title,
    anchor,
    line,
    excerpt: findExcerpt(text, words),
  }))
}

type SectionFields = Readonly<Record<keyof typeof weights, string>>

/** Returns the score of a section. Rare words count more, and so do sections with all words. */
function scoreSection(words: readonly string[], place: SectionFields, text: string): number {
  const body = text.toLowerCase()
  let score = 0
  let matched = 0
  for (const word of words) {
    const inBody = Math.min(5, body.split(word).length - 1)
    let points = inBody
    for (const [name, weight] of Object.entries(weights)) {
      if (place[name as keyof SectionFields].toLowerCase().includes(word)) points += weight
    }
    if (points > 0) matched += 1
    score += points
  }
  return score * (matched / Math.max(1, words.length)) ** 2
}

/** Returns the lines that begin with the first line with most of the words. */
function findExcerpt(text: string, words: readonly string[]): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^\|[\s:|-]+\|$|^\s*(?:```|~~~)/.test(line))
  const score = (line: string) => words.filter((word) => line.toLowerCase().includes(word)).length
  const bestScore = Math.max(0, ...lines.map(score))
  const firstIndex = Math.max(
    0,
    lines.findIndex((line) => score(line) === bestScore),
  )
  const excerpt = lines.slice(firstIndex).map(toPlainText).join("\n")
  return excerpt.length > maxExcerptLength ? `${excerpt.slice(0, maxExcerptLength)} …` : excerpt
}
