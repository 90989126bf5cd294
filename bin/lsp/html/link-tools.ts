/**
 * Exports the functions that read a project's links. They are a large part of the command, so this module is loaded
 * when an editor first needs it.
 */

export { readAnswers } from "../../inspect/links/answers.ts"
export {
  checkLinks,
  findIgnoredFiles,
  preferSameLength,
} from "../../inspect/links/check-links.ts"
export { findLiteralStart } from "../../inspect/links/link-target.ts"
export { readProjectLinks } from "../../inspect/links/project-links.ts"
export { readSources } from "../../inspect/project-sources.ts"
