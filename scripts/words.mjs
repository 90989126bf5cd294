/** Finds old-fashioned words in documents, messages and comments. It is part of `npm run check`. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isMain, root, runScript, ScriptError } from "./common.mjs"

/**
 * Words that are banned, and what to write instead. Everything else about the English is for the person who reviews the
 * change.
 */
const bannedWords = [
  [/\b(?:where|there|here)(?:by|in|of|upon|unto|to|from)\b/i, "a new sentence, or: so, in it, of it"],
  [
    /\b(?:hence|thence|whence|hitherto|whilst|albeit|unto|upon|anew|lest|nought)\b/i,
    "so, from there, while, on, again …",
  ],
  [/\bfor ever\b/i, "forever, or: without end"],
  [/\b(?:is|are) no valid\b/i, "is not a valid …"],
]

const textFilePattern = /\.(?:[cm]?[jt]sx?|tpl|html|md)$/
/** Files that others wrote, or that mention the banned words on purpose. */
const ignoredFilePattern = /^vendor\/|(?:^|\/)fixtures\/|^scripts\/words\.mjs$|^tests\/scripts\/words\.test\.ts$/

/**
 * Returns where a text has banned words.
 *
 * @param {string} text
 * @returns {{ line: number, word: string, advice: string }[]}
 */
export function findBannedWords(text) {
  return text.split("\n").flatMap((line, index) =>
    bannedWords.flatMap(([pattern, advice]) => {
      const match = /** @type {RegExp} */ (pattern).exec(line)
      return match ? [{ line: index + 1, word: match[0], advice: String(advice) }] : []
    }),
  )
}

function main() {
  const { stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  const places = stdout
    .split("\0")
    .filter((file) => textFilePattern.test(file) && !ignoredFilePattern.test(file))
    .flatMap((file) =>
      findBannedWords(readFileSync(join(root, file), "utf8")).map(
        ({ line, word, advice }) => `${file}:${line}: "${word}": write ${advice}`,
      ),
    )
  if (places.length > 0) throw new ScriptError(places.join("\n"))
}

if (isMain(import.meta.url)) await runScript(main)
