/**
 * Finds words and constructions that are not plain English in documents, messages and comments. Part of `npm run check`.
 * The list is scripts/plain-english.mjs.
 *
 *   node scripts/words.mjs            checks the scope that the list names
 *   node scripts/words.mjs lib bin    checks these files and folders
 */
import { spawnSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { filesBelow, isMain, root, runScript, ScriptError } from "./common.mjs"
import { ignored, rules, scope } from "./plain-english.mjs"
import { passagesOfCode, passagesOfTemplate, passagesOfText } from "./prose.mjs"

const code = /\.(?:[cm]?[jt]sx?)$/
const template = /\.(?:tpl|html)$/
const document = /\.(?:md|txt)$/

/** Returns the reader for a file's kind, or nothing for files that are not checked. */
const readerOf = (/** @type {string} */ path) =>
  code.test(path)
    ? passagesOfCode
    : template.test(path)
      ? passagesOfTemplate
      : document.test(path)
        ? passagesOfText
        : undefined

/**
 * @typedef {object} Finding
 * @property {number} line
 * @property {string} found
 * @property {string} write what to write instead
 */

/** A form with every space as one or more, since lines are joined by several. */
const spaced = (/** @type {RegExp} */ form) =>
  new RegExp(form.source.replace(/ (?![+*?{])/g, " +"), `g${form.flags.replace("g", "")}`)

const compiled = rules.map((rule) => ({
  ...rule,
  find: rule.only ? rule.find : spaced(rule.find),
  except: (rule.except ?? []).map(spaced),
}))

/** All matches of a form in a text. Unlike `matchAll()`, this does not compile the form again each time. */
function allOf(/** @type {RegExp} */ form, /** @type {string} */ text) {
  const found = []
  form.lastIndex = 0
  for (let match = form.exec(text); match !== null; match = form.exec(text)) found.push(match)
  return found
}

/** The forms of one rule in one passage, as offsets and texts. */
function findingsOf({ find, except, only }, { text, doc }) {
  if (only === "doc") {
    const opening = doc ? text.search(/\S/) : undefined
    const found = opening === undefined ? null : find.exec(text.slice(opening))
    return found ? [{ at: opening, found: found[0] }] : []
  }
  const found = allOf(find, text)
  const covered = found.length === 0 ? [] : except.flatMap((form) => allOf(form, text))
  return found
    .filter((at) => !covered.some((by) => by.index <= at.index && at.index < by.index + by[0].length))
    .map(({ 0: found, index }) => ({ at: index, found }))
}

/**
 * Returns what is not plain English in a file, in the order of its lines.
 *
 * @param {string} path its name decides how it is read
 * @param {string} source
 * @returns {Finding[]}
 */
export function check(path, source) {
  const passages = readerOf(path)?.(source) ?? []
  return passages
    .flatMap((passage) =>
      compiled.flatMap((rule) =>
        findingsOf(rule, passage).map(({ at, found }) => ({
          at: passage.at + at,
          found: found.trim(),
          write: rule.write,
        })),
      ),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ at, found, write }) => ({ line: source.slice(0, at).split("\n").length, found, write }))
}

/** Returns the files that git does not ignore. Outside of a repository these are all. */
function tracked(/** @type {string} */ folder, /** @type {string[]} */ files) {
  const { status, stdout } = spawnSync("git", ["check-ignore", "-z", "--stdin"], {
    cwd: folder,
    input: files.join("\0"),
    encoding: "utf8",
  })
  const generated = new Set(status === 0 ? stdout.split("\0") : [])
  return files.filter((file) => !generated.has(file))
}

/**
 * Returns the files to check. Files that git ignores are left out: they are generated.
 *
 * @param {readonly string[]} places files and folders, relative to the project
 * @returns {string[]}
 */
export function filesOf(places) {
  return places
    .flatMap((place) => {
      const folder = resolve(root, place)
      if (!statSync(folder).isDirectory()) return [place]
      return tracked(folder, filesBelow(folder)).map((path) => `${place.replace(/\/$/, "")}/${path}`)
    })
    .filter((path) => readerOf(path) !== undefined && !ignored.some((form) => form.test(path)))
}

async function main() {
  const given = process.argv.slice(2)
  const found = filesOf(given.length > 0 ? given : scope).flatMap((path) =>
    check(path, readFileSync(resolve(root, path), "utf8")).map(
      ({ line, found, write }) => `${path}:${line}: "${found}": write ${write}`,
    ),
  )
  if (found.length > 0)
    throw new ScriptError(
      `${found.join("\n")}\n${found.length} places are not plain English. scripts/plain-english.mjs has the list and its exceptions; CONTRIBUTING.md has the reasons.`,
    )
}

if (isMain(import.meta.url)) await runScript(main)
