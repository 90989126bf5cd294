import type { Context } from "fw"
import { html } from "fw/html"
import { asset } from "#assets"

export const prerender = true

/**
 * Answers with the document that is shown in the preview of the playground. The user's pages are put into it, so its policy
 * allows their styles and scripts. The document is in a sandboxed frame, so it cannot reach the site.
 */
export function Get(c: Context) {
  return c.html(
    200,
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>Preview</title>
<script src="${asset("/assets/preview.ts")}"></script>
</head>
<body></body>
</html>
`,
  )
}
