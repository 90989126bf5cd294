/** The part `pages`: HTML pages, their layouts, deferred blocks and pages for errors. */
export { answerPage, createPages as pagesOf } from "../mount/pages.ts"
