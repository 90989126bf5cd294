/** Markdown, for the documentation in `fw dev`. Bundled into dist/vendor/; imported where a page is shown. */
export { Marked } from "marked"
