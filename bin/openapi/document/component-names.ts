/** Chooses unique names for shared types. A name depends as little as possible on other types. */
import { compareByCodeUnit } from "../../../lib/order.ts"
import { findDifferentInputs, inputSuffix, toAnswerID } from "./input-variants.ts"
import type { AnswerFacts, AppDescription, BodyRead, Facts, NamedType, TypeData, Warning } from "./model.ts"
import { visitParts } from "./type-parts.ts"

/** Matches names of files and directories that many projects have, so they do not distinguish types. */
const generalName = /^(?:route|index|main|middleware|proxy|types?|models?|schemas?|app|api|src|lib|v\d+|\[.*\])$/i
const conventionFile = /(?:^|\/)(?:route|middleware|proxy|main)\.[cm]?[jt]sx?$/

/** Counts how many handlers and middleware use each type, by id. */
export function countUses(appFacts: AppDescription): ReadonlyMap<string, number> {
  const types = new Map(appFacts.types.map((type) => [type.id, type.type]))
  const uses = new Map<string, number>()
  const all = [
    ...appFacts.handlers.values(),
    ...appFacts.middleware.values(),
    ...appFacts.global,
    ...appFacts.registeredRoutes.map(({ facts }) => facts),
    ...(appFacts.proxy ? [appFacts.proxy] : []),
  ]
  for (const roots of [...all.map(listTypes), appFacts.error ? [appFacts.error] : []]) {
    const usedIDs = new Set<string>()
    for (const root of roots) visitParts(root, types, () => {}, usedIDs)
    for (const id of usedIDs) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  return uses
}

function listTypes({ answers, bodies }: Facts): TypeData[] {
  return [...answers, ...bodies].flatMap((part: AnswerFacts | BodyRead) =>
    "type" in part && part.type ? [part.type] : [],
  )
}

/**
 * Returns a name for each type that is used. If several types have the same name, one keeps it: a type that is
 * declared for shared use, otherwise the type with the most uses, so that a new route does not rename existing
 * types. The names of the others get a word from the path of their file, with a warning.
 */
export function chooseComponentNames(
  types: readonly NamedType[],
  uses: ReadonlyMap<string, number>,
  reserved: readonly string[],
  warn: (warning: Warning) => void,
): ReadonlyMap<string, string> {
  const groups = new Map<string, NamedType[]>()
  const usedTypes = types.filter(({ id }) => uses.has(id))
  const differentIDs = findDifferentInputs(usedTypes)
  const usedIDs = new Set(usedTypes.map(({ id }) => id))
  const inputVariants = usedTypes.filter(
    ({ id }) => toAnswerID(id) !== id && usedIDs.has(toAnswerID(id)) && !differentIDs.has(id),
  )
  for (const type of usedTypes.filter((type) => !inputVariants.includes(type))) {
    const end = differentIDs.has(type.id) ? "Input" : ""
    const name = type.name.replace(/[^A-Za-z0-9._-]/g, "_") + end
    groups.set(name, [...(groups.get(name) ?? []), type])
  }
  const takenNames = new Set([...reserved, ...groups.keys()])
  const names = new Map<string, string>()
  for (const [name, group] of [...groups].sort(([a], [b]) => compareByCodeUnit(a, b))) {
    const [first, ...others] = group.sort((a, b) => compareTypes(a, b, uses)) as [NamedType, ...NamedType[]]
    const isFree = !reserved.includes(name)
    if (isFree) names.set(first.id, name)
    for (const type of isFree ? others : group) {
      const free = findFreeName(name, type, takenNames)
      takenNames.add(free)
      names.set(type.id, free)
      if (isRenamable(type, first, isFree)) warn(createClashWarning(type, free, isFree ? first : undefined))
    }
  }
  for (const { id } of inputVariants) names.set(id, names.get(toAnswerID(id)) as string)
  return names
}

/**
 * Returns true if renaming a type in the source would help: its name was not generated, and the two types are not
 * instances of one generic type.
 */
function isRenamable({ id, synthetic }: NamedType, first: NamedType, isFree: boolean): boolean {
  const declaration = (id: string) => id.split("<")[0]
  return !synthetic && (!isFree || declaration(id) !== declaration(first.id))
}

function compareTypes(a: NamedType, b: NamedType, uses: ReadonlyMap<string, number>): number {
  const toLocalRank = ({ file }: NamedType) => Number(conventionFile.test(file))
  const count = ({ id }: NamedType) => (uses.get(id) ?? 0) + (uses.get(id + inputSuffix) ?? 0)
  const depth = ({ file }: NamedType) => file.split("/").length
  return (
    Number(a.synthetic ?? false) - Number(b.synthetic ?? false) ||
    toLocalRank(a) - toLocalRank(b) ||
    count(b) - count(a) ||
    depth(a) - depth(b) ||
    compareByCodeUnit(a.file, b.file) ||
    a.line - b.line ||
    compareByCodeUnit(a.id, b.id)
  )
}

function createClashWarning({ name, file, line }: NamedType, free: string, first: NamedType | undefined): Warning {
  const other = first
    ? first.file === file
      ? "another type of that name"
      : `the ${name} of ${first.file}`
    : "the form of all errors"
  return {
    message: `the type ${name} is called ${free} in the document, because of ${other}`,
    fix: "Give one of them another name in its source.",
    at: { file, line },
  }
}

/** Returns the name with a word from the file's path in front: `AdminUser`. */
function findFreeName(name: string, type: NamedType, usedNames: ReadonlySet<string>): string {
  let longer = name
  for (const word of listPathWords(type)) {
    const isKnown = longer.toLowerCase().includes(word.toLowerCase().replace(/s$/, ""))
    if (isKnown) continue
    if (!usedNames.has(word + name)) return word + name
    longer = word + longer
    if (!usedNames.has(longer)) return longer
  }
  let n = 2
  while (usedNames.has(`${name}${n}`)) n++
  return `${name}${n}`
}

/** Returns the words in the paths of the files that a type comes from, the nearest first. */
function listPathWords({ file, argumentFiles = [] }: NamedType): string[] {
  return [...argumentFiles.filter((path) => path !== file), file].flatMap((path) => {
    const parts = path.replace(/\.[cm]?[jt]sx?$/, "").split("/")
    return parts
      .reverse()
      .map((part) => part.replace(/^\((.*)\)$/, "$1"))
      .filter((part) => !generalName.test(part))
      .map(capitalize)
      .filter((word) => word !== "")
  })
}

/** Returns the letters and digits of a text in camel case, with a capital first letter. */
export function capitalize(text: string): string {
  const clean = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next = "") => next.toUpperCase())
  return clean.charAt(0).toUpperCase() + clean.slice(1)
}
