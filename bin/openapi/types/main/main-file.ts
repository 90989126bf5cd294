/** Reads what the main file registers: global middleware and routes. */
import { joinPatterns, parsePattern } from "../../../../lib/pattern.ts"
import type { CallExpression, Node } from "../../../tools/typescript/program.ts"
import type { DocumentInfo, Facts, MainDescription, RegisteredRoute, TypeData } from "../../document/model.ts"
import { CalledFunctions, listParameterNames, readIdentifier } from "../calls/called-functions.ts"
import { readArgumentNames } from "../calls/context-calls.ts"
import type { FactFinder } from "../calls/fact-finder.ts"
import { findTarget } from "../calls/functions.ts"
import { readDocComment } from "../comments.ts"
import { readHandlerStatuses } from "../errors/error-handler.ts"
import { toUnion } from "../type-data.ts"
import { addDeclaredFacts, readDeclaredFacts } from "./declared-facts.ts"
import { readDocumentInfo } from "./document-info.ts"

/** A route and the node of its handler. */
export interface FoundRoute extends RegisteredRoute {
  readonly node: Node
}

/** The facts from the main file. */
export interface MainFacts extends MainDescription {
  readonly registeredRoutes: readonly FoundRoute[]
}

/** The methods of an app or group that register something. */
const registrationMethods = [
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

/** The state while the main file is read. */
interface MainReading {
  readonly finder: FactFinder
  readonly routes: FoundRoute[]
  readonly calledFunctions: CalledFunctions
  /** The groups for which each function was read. */
  readonly groupsByFunction: Map<Node, Set<Group>>
  /** The functions that are being read, the outermost first. */
  readonly callStack: Node[]
  /** The apps by name. */
  readonly apps: GroupsByName
}

/** The app or group that each name in a function stands for. */
type GroupsByName = ReadonlyMap<string, Group>

/** The groups to which the calls in a node belong. */
interface AppScope {
  /** The group of calls whose receiver is not known by name. */
  readonly group: Group
  readonly names: GroupsByName
}

/** Reads the calls of an app's and its groups' methods in a file, in order. */
export function readMain(file: string, finder: FactFinder): MainFacts {
  const source = finder.program.getFile(file)
  const top: Group = { ...createGroup(""), isTop: true }
  const routes: FoundRoute[] = []
  if (source) {
    const calledFunctions = new CalledFunctions(source, finder.program)
    const apps = new Map(
      [...calledFunctions.appNames].map((name) => [name, createAppGroup(name, calledFunctions, top, finder)]),
    )
    const reading = { finder, routes, calledFunctions, groupsByFunction: new Map(), callStack: [], apps }
    visit(source, { group: top, names: apps }, reading)
    // Functions that were not read may still be called from other files.
    for (const node of calledFunctions.nodes)
      if (!reading.groupsByFunction.has(node) && node.getSourceFile() === source) readFunction(node, [], top, reading)
  }
  return {
    global: top.middleware,
    registeredRoutes: routes,
    ...(Object.keys(top.info).length > 0 && { info: top.info }),
    ...(top.errors.length > 0 && { error: toUnion(top.errors), errorStatuses: top.statuses }),
    ...(top.medias.size > 0 && { errorMedias: [...top.medias] }),
    ...(top.issueStatuses && { issueStatuses: top.issueStatuses }),
  }
}

function visit(node: Node, scope: AppScope, reading: MainReading): void {
  const { calledFunctions, finder } = reading
  // A function is read where it is called.
  if (calledFunctions.nodes.has(node)) return
  if (node.kind === finder.program.kinds.CallExpression) {
    const call = node as CallExpression
    if (readRegistration(call, scope, reading)) return
    const passesGroup = call.arguments.some((one) => scope.names.has(readIdentifier(one, finder.program) ?? ""))
    const target = calledFunctions.findCalled(call) ?? (passesGroup ? calledFunctions.findImported(call) : undefined)
    if (target) readCalledFunction(call, target, scope, reading)
  }
  node.forEachChild((child) => visit(child, scope, reading))
}

/** Reads the function that a call runs, with the apps and groups that are passed to it. */
function readCalledFunction(call: CallExpression, target: Node, scope: AppScope, reading: MainReading): void {
  const argumentGroups = call.arguments.map((one) => scope.names.get(readIdentifier(one, reading.finder.program) ?? ""))
  const group = argumentGroups.find((one) => one !== undefined) ?? scope.group
  readFunction(
    target,
    argumentGroups.map((one) => one ?? group),
    group,
    reading,
    scope.names,
  )
}

/**
 * Reads a function, once for each group.
 *
 * @param argumentGroups the groups that are passed as arguments.
 * @param outerNames the names in the calling function, which an inner function can use too.
 */
function readFunction(
  target: Node,
  argumentGroups: readonly Group[],
  group: Group,
  reading: MainReading,
  outerNames?: GroupsByName,
): void {
  const { callStack, groupsByFunction, apps } = reading
  const groups = groupsByFunction.get(target) ?? new Set()
  groupsByFunction.set(target, groups)
  if (groups.has(group) || callStack.includes(target)) return
  groups.add(group)
  let outer: Node | undefined = target.parent
  while (outer && !callStack.includes(outer)) outer = outer.parent
  const parameterGroups = listParameterNames(target).flatMap((name, at) =>
    name ? [[name, argumentGroups[at] ?? group] as const] : [],
  )
  const scope = { group, names: new Map([...((outer && outerNames) ?? apps), ...parameterGroups]) }
  callStack.push(target)
  target.forEachChild((child) => visit(child, scope, reading))
  callStack.pop()
}

/** Reads a call that registers something in an app or a group, such as `app.get()`. Returns false for any other call. */
function readRegistration(call: CallExpression, scope: AppScope, reading: MainReading): boolean {
  const { finder, routes } = reading
  const { program } = finder
  const { name: method, expression: receiver } = call.expression as Node & {
    name?: { text: string }
    expression?: Node
  }
  const name = method?.text ?? ""
  if (!registrationMethods.includes(name)) return false
  const path = program.checker.getResolvedSignature(call)?.declaration?.path
  const module = path === undefined ? null : program.findFrameworkModule(path)
  if (module !== "app" && module !== "group") return false
  const group = scope.names.get(readIdentifier(receiver, program) ?? "") ?? scope.group
  const [first, second, ...rest] = call.arguments
  if (name === "use") group.middleware.push(...call.arguments.map((one) => readHandlerFacts(one, finder)))
  else if (name === "onError" && first) {
    group.errors.push(...readErrorTypes(first, group.medias, finder))
    const handler = findTarget(first, program)
    if (!handler) return true
    const { byError, forIssues } = readHandlerStatuses(handler, program)
    for (const [status, sent] of byError) group.statuses.set(status, sent)
    if (forIssues.length > 0) group.issueStatuses = forIssues
  } else if (name === "openapi") Object.assign(group.info, first ? readDocumentInfo(first, finder) : {})
  else if (name === "group" && first && second) readGroup(call, { ...scope, group }, reading)
  else if (name === "registerRoute" && first && second && rest.length > 0) {
    for (const method of readArgumentNames(first, program) ?? [])
      addRoute(call, method.toUpperCase(), second, rest, group, routes, finder)
  } else if (first && second)
    addRoute(call, name === "all" ? "*" : name.toUpperCase(), first, [second, ...rest], group, routes, finder)
  return true
}

function readGroup(call: CallExpression, { group, names }: AppScope, reading: MainReading): void {
  const { finder, groupsByFunction } = reading
  const [pattern, register] = call.arguments as unknown as readonly [Node, Node]
  const [text] = readArgumentNames(pattern, finder.program) ?? []
  const target = findTarget(register, finder.program)
  if (text === undefined) {
    // Without a known prefix, the routes of the group must not be read as those of the app, so its function is marked
    // as read.
    if (target && !groupsByFunction.has(target)) groupsByFunction.set(target, new Set())
    warnPattern(pattern, finder)
    return
  }
  const inner: Group = {
    prefix: joinPatterns(group.prefix, text),
    middleware: group.isTop ? [] : [...group.middleware],
    errors: group.errors,
    medias: group.medias,
    statuses: group.statuses,
    info: group.info,
    ...(group.isUnmounted && { isUnmounted: true }),
  }
  if (target?.kind === finder.program.kinds.CallExpression) visit(target, { group: inner, names }, reading)
  else if (target) readFunction(target, [inner], inner, reading, names)
}

function warnPattern(node: Node, finder: FactFinder): void {
  finder.warn(node, "this pattern is known only when the program runs", 'Write it as a literal, such as "/users/{id}".')
}

/** Returns the types of the JSON that an error handler sends, and adds their media types. */
function readErrorTypes(node: Node, medias: Set<string>, finder: FactFinder): TypeData[] {
  // The status of the answer depends on the error, so a warning about it would be wrong.
  const { answers } = finder.readQuietly(() => readHandlerFacts(node, finder))
  const types = answers.flatMap(({ media, type, error }) => {
    if (!media || !/^application\/(?:.+\+)?json$/.test(media) || !type || error) return []
    medias.add(media)
    return [type]
  })
  return types.length > 0 ? types : [{ kind: "any" }]
}

function readHandlerFacts(node: Node, finder: FactFinder): Facts {
  const target = findTarget(node, finder.program) ?? node
  return addDeclaredFacts(finder.readFacts(target), readDeclaredFacts(node, finder))
}

/**
 * Adds a route.
 *
 * @param handlers the route's own middleware, followed by the handler.
 */
function addRoute(
  call: CallExpression,
  method: string,
  pattern: Node,
  handlers: readonly Node[],
  { prefix, middleware, isTop, isUnmounted }: Group,
  routes: FoundRoute[],
  finder: FactFinder,
): void {
  const { program } = finder
  if (isUnmounted) return
  const [text] = readArgumentNames(pattern, program) ?? []
  if (text === undefined) {
    warnPattern(pattern, finder)
    return
  }
  let canonical: string
  try {
    canonical = parsePattern(joinPatterns(prefix, text)).text
  } catch {
    // The app itself reports an invalid pattern, with a better message.
    return
  }
  const handler = handlers.at(-1) as Node
  const facts = readHandlerFacts(handler, finder)
  const middlewareFacts = handlers.slice(0, -1).map((node) => readHandlerFacts(node, finder))
  const outerFacts = [...(isTop ? [] : middleware), ...middlewareFacts]
  const statement = call.parent.kind === program.kinds.ExpressionStatement ? call.parent : call
  const comment = readDocComment(statement, program) ?? readDocComment(findTarget(handler, program) ?? handler, program)
  routes.push({
    method,
    pattern: canonical,
    at: program.findPlace(call),
    ...(comment && { comment }),
    facts: {
      ...facts,
      answers: [...outerFacts.flatMap(({ answers }) => answers), ...facts.answers],
      security: [...outerFacts.flatMap(({ security }) => security), ...facts.security],
    },
    node: handler,
  })
}

/** What a group adds to its routes: the prefix, middleware and answers to errors. */
interface Group {
  readonly prefix: string
  readonly middleware: Facts[]
  /** The types of its answers to errors. */
  readonly errors: TypeData[]
  /** The media types of its answers to errors. */
  readonly medias: Set<string>
  /** The statuses of its answers to errors, by the status of the error. */
  readonly statuses: Map<number, readonly number[]>
  /** The statuses of the answers to a 400 with issues. */
  issueStatuses?: readonly number[]
  /** The options of `app.openapi()`. */
  readonly info: { -readonly [Key in keyof DocumentInfo]: DocumentInfo[Key] }
  /** True for the app itself, whose middleware is global. */
  readonly isTop?: true
  /** True for another app that is not mounted, as far as is known. */
  readonly isUnmounted?: true
}

/** Returns a group without middleware. */
function createGroup(prefix: string): Group {
  return { prefix, middleware: [], errors: [], medias: new Set(), statuses: new Map(), info: {} }
}

/** Returns the group of an app. An app other than the program's has its own middleware and answers to errors. */
function createAppGroup(
  name: string,
  { appNames, defaultExport, mountPrefixes }: CalledFunctions,
  top: Group,
  finder: FactFinder,
): Group {
  if (defaultExport === undefined || !appNames.has(defaultExport) || name === defaultExport) return top
  const prefixNode = mountPrefixes.get(name)
  const [prefix] = (prefixNode && readArgumentNames(prefixNode, finder.program)) ?? []
  return prefix === undefined ? { ...createGroup(""), isUnmounted: true } : createGroup(prefix)
}
