/** The part `pages`: HTML pages, their layouts, deferred blocks and pages for errors. */
export { answerPage, pagesOf } from "../mount/pages.ts"
