/** Readers of the links of a project: loaded when an editor first needs them, because they are a large part of the command. */

export { readAnswers as answersOf } from "../../inspect/links/answers.ts"
export {
  checkLinks,
  findIgnoredFiles as ignoredIn,
  preferSameLength as alike,
} from "../../inspect/links/check-links.ts"
export { findLiteralStart as literalStart } from "../../inspect/links/link-target.ts"
export {
  readLinkSources as linkSources,
  readProjectLinks as linksOf,
} from "../../inspect/links/project-links.ts"
export { readSources } from "../../inspect/project-sources.ts"
