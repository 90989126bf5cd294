/** The part `pages`: HTML pages, layouts, deferred blocks and error pages. */
export { answerPage, createPages } from "../mount/pages.ts"
