/** Readers of the links of a project: loaded when an editor first needs them, because they are a large part of the command. */

export { answersOf } from "../../inspect/links/answers.ts"
export { alike, checkLinks, ignoredIn } from "../../inspect/links/check-links.ts"
export { linkSources, linksOf } from "../../inspect/links/project-links.ts"
export { literalStart } from "../../inspect/links/target.ts"
export { readSources } from "../../inspect/sources.ts"
