/** The part `pages`: HTML pages, their layouts, deferred blocks and pages for errors. */
export { answerPage, createPages } from "../mount/pages.ts"
