/** Registrations in `main.ts`: global middleware, and its own routes. */
import type { Facts, MainDescription, RegisteredRoute, TypeData } from "../../../lib/openapi/model.ts"
import { joinPatterns, parsePattern } from "../../../lib/pattern.ts"
import type { CallExpression, Node } from "../../tools/typescript/program.ts"
import { CalledFunctions, nameOf, parameterNames } from "./called-functions.ts"
import { namesOf } from "./calls.ts"
import { commentOf } from "./comments.ts"
import { infoOf } from "./document-info.ts"
import { sentFor, sentStatuses } from "./error-handler.ts"
import type { FactFinder } from "./facts.ts"
import { targetOf } from "./functions.ts"
import { emptyGroup, type Group, groupOf } from "./main-groups.ts"
import { declaredMarks, withMarks } from "./marks.ts"
import { unionOf } from "./type-data.ts"

/** A route with the node of its handler. */
export interface FoundRoute extends RegisteredRoute {
  readonly node: Node
}

/** The facts of the file. */
export interface MainFacts extends MainDescription {
  readonly registered: readonly FoundRoute[]
}

/** The methods of an app and its groups that register something. */
const calls = [
  "use",
  "group",
  "registerRoute",
  "onError",
  "openapi",
  "get",
  "post",
  "put",
  "patch",
  "delete",
  "head",
  "options",
  "all",
]

/** The state of reading a file. */
interface Reading {
  readonly finder: FactFinder
  readonly routes: FoundRoute[]
  readonly called: CalledFunctions
  /** The groups for which each function was read. */
  readonly read: Map<Node, Set<Group>>
  /** The functions that are being read, outermost first. */
  readonly open: Node[]
  /** The apps by their names. */
  readonly apps: Names
}

/** Apps and groups, by the names that they have in a function. */
type Names = ReadonlyMap<string, Group>

/** The surroundings of a node. */
interface Scope {
  /** The group of everything that has no known name. */
  readonly group: Group
  readonly names: Names
}

/** Reads the calls of methods of an app and its groups in a file, in order. */
export function readMain(file: string, finder: FactFinder): MainFacts {
  const source = finder.program.file(file)
  const top: Group = { ...emptyGroup(""), top: true }
  const registered: FoundRoute[] = []
  if (source) {
    const called = new CalledFunctions(source, finder.program)
    const apps = new Map([...called.apps].map((name) => [name, groupOf(name, called, top, finder)]))
    const reading = { finder, routes: registered, called, read: new Map(), open: [], apps }
    visit(source, { group: top, names: apps }, reading)
    // Other files, or calls that are not read, may use the rest.
    for (const node of called.nodes)
      if (!reading.read.has(node) && node.getSourceFile() === source) enter(node, [], top, reading)
  }
  return {
    global: top.middleware,
    registered,
    ...(Object.keys(top.info).length > 0 && { info: top.info }),
    ...(top.errors.length > 0 && { error: unionOf(top.errors), errorStatuses: top.statuses }),
    ...(top.medias.size > 0 && { errorMedias: [...top.medias] }),
    ...(top.issues && { issueStatuses: top.issues }),
  }
}

function visit(node: Node, scope: Scope, reading: Reading): void {
  const { called, finder } = reading
  // It is read where it is called.
  if (called.nodes.has(node)) return
  if (node.kind === finder.program.kinds.CallExpression) {
    const call = node as CallExpression
    if (registers(call, scope, reading)) return
    const isGiven = call.arguments.some((one) => scope.names.has(nameOf(one, finder.program) ?? ""))
    const target = called.of(call) ?? (isGiven ? called.imported(call) : undefined)
    if (target) enterCalled(call, target, scope, reading)
  }
  node.forEachChild((child) => visit(child, scope, reading))
}

/** Reads a function that a call runs, with the apps and groups that it gets. */
function enterCalled(call: CallExpression, target: Node, scope: Scope, reading: Reading): void {
  const given = call.arguments.map((one) => scope.names.get(nameOf(one, reading.finder.program) ?? ""))
  const group = given.find((one) => one !== undefined) ?? scope.group
  enter(
    target,
    given.map((one) => one ?? group),
    group,
    reading,
    scope.names,
  )
}

/**
 * Reads a function, once for each group.
 *
 * @param given the groups of its parameters.
 * @param around the names of the caller, which a function inside it sees.
 */
function enter(target: Node, given: readonly Group[], group: Group, reading: Reading, around?: Names): void {
  const { open, read, apps } = reading
  const known = read.get(target) ?? new Set()
  read.set(target, known)
  if (known.has(group) || open.includes(target)) return
  known.add(group)
  let outer: Node | undefined = target.parent
  while (outer && !open.includes(outer)) outer = outer.parent
  const own = parameterNames(target).flatMap((name, at) =>
    name ? [[name, given[at] ?? group] as const] : [],
  )
  const scope = { group, names: new Map([...((outer && around) ?? apps), ...own]) }
  open.push(target)
  target.forEachChild((child) => visit(child, scope, reading))
  open.pop()
}

/** Reads one call; returns false if it does not belong to an app. */
function registers(call: CallExpression, scope: Scope, reading: Reading): boolean {
  const { finder, routes } = reading
  const { program } = finder
  const { name: method, expression: receiver } = call.expression as Node & {
    name?: { text: string }
    expression?: Node
  }
  const name = method?.text ?? ""
  if (!calls.includes(name)) return false
  const path = program.checker.getResolvedSignature(call)?.declaration?.path
  const module = path === undefined ? null : program.frameworkModule(path)
  if (module !== "app" && module !== "group") return false
  const group = scope.names.get(nameOf(receiver, program) ?? "") ?? scope.group
  const [first, second, ...rest] = call.arguments
  if (name === "use") group.middleware.push(...call.arguments.map((one) => factsOf(one, finder)))
  else if (name === "onError" && first) {
    group.errors.push(...errorsOf(first, group.medias, finder))
    const handler = targetOf(first, program)
    for (const [status, sent] of handler ? sentStatuses(handler, program) : [])
      group.statuses.set(status, sent)
    const issues = handler ? sentFor({ status: 400, hasIssues: true }, handler, program) : []
    if (issues.length > 0) group.issues = issues
  } else if (name === "openapi") Object.assign(group.info, first ? infoOf(first, finder) : {})
  else if (name === "group" && first && second) readGroup(call, { ...scope, group }, reading)
  else if (name === "registerRoute" && first && second && rest.length > 0) {
    for (const method of namesOf(first, program) ?? [])
      add(call, method.toUpperCase(), second, rest, group, routes, finder)
  } else if (first && second)
    add(call, name === "all" ? "*" : name.toUpperCase(), first, [second, ...rest], group, routes, finder)
  return true
}

function readGroup(call: CallExpression, { group, names }: Scope, reading: Reading): void {
  const { finder, read } = reading
  const [pattern, fill] = call.arguments as unknown as readonly [Node, Node]
  const [text] = namesOf(pattern, finder.program) ?? []
  const target = targetOf(fill, finder.program)
  if (text === undefined) {
    // Its routes are not those of the app either.
    if (target && !read.has(target)) read.set(target, new Set())
    warnPattern(pattern, finder)
    return
  }
  const inner: Group = {
    prefix: joinPatterns(group.prefix, text),
    middleware: group.top ? [] : [...group.middleware],
    errors: group.errors,
    medias: group.medias,
    statuses: group.statuses,
    info: group.info,
    ...(group.apart && { apart: true }),
  }
  if (target?.kind === finder.program.kinds.CallExpression) visit(target, { group: inner, names }, reading)
  else if (target) enter(target, [inner], inner, reading, names)
}

function warnPattern(node: Node, finder: FactFinder): void {
  finder.warn(
    node,
    "this pattern is known only when the program runs",
    'Write it as a literal, such as "/users/{id}".',
  )
}

/** Returns the JSON of an error handler, and adds its media types; any type if it is unknown. */
function errorsOf(node: Node, medias: Set<string>, finder: FactFinder): TypeData[] {
  // The status is that of the error, which always differs.
  const { answers } = finder.quietly(() => factsOf(node, finder))
  const types = answers.flatMap(({ media, type, error }) => {
    if (!media || !/^application\/(?:.+\+)?json$/.test(media) || !type || error) return []
    medias.add(media)
    return [type]
  })
  return types.length > 0 ? types : [{ kind: "any" }]
}

function factsOf(node: Node, finder: FactFinder): Facts {
  const target = targetOf(node, finder.program) ?? node
  return withMarks(finder.facts(target), declaredMarks(node, finder))
}

/**
 * Adds a route.
 *
 * @param handlers the handler, after its own middleware.
 */
function add(
  call: CallExpression,
  method: string,
  pattern: Node,
  handlers: readonly Node[],
  { prefix, middleware, top, apart }: Group,
  routes: FoundRoute[],
  finder: FactFinder,
): void {
  const { program } = finder
  if (apart) return
  const [text] = namesOf(pattern, program) ?? []
  if (text === undefined) {
    warnPattern(pattern, finder)
    return
  }
  let canonical: string
  try {
    canonical = parsePattern(joinPatterns(prefix, text)).text
  } catch {
    // The app itself refuses it, with a better message.
    return
  }
  const handler = handlers.at(-1) as Node
  const facts = factsOf(handler, finder)
  const wraps = handlers.slice(0, -1).map((wrap) => factsOf(wrap, finder))
  const own = [...(top ? [] : middleware), ...wraps]
  const statement = call.parent.kind === program.kinds.ExpressionStatement ? call.parent : call
  const comment = commentOf(statement, program) ?? commentOf(targetOf(handler, program) ?? handler, program)
  routes.push({
    method,
    pattern: canonical,
    at: program.place(call),
    ...(comment && { comment }),
    facts: {
      ...facts,
      answers: [...own.flatMap(({ answers }) => answers), ...facts.answers],
      security: [...own.flatMap(({ security }) => security), ...facts.security],
    },
    node: handler,
  })
}
