/**
 * The mailbox page of `fw dev`: mails that the program keeps in `.fw/mail` instead of sending them. The page is part
 * of the command, so it is not in any build.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { escapeText } from "../../system/html.ts"
import type { OwnAnswer } from "../page/problem-page.ts"

/**
 * The directory of mails, relative to the project. Each file is one mail as JSON; sorted by name, the files are in
 * the order of time.
 */
export const mailDirectory = ".fw/mail"

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** A time in ISO 8601. */
  readonly at: string
}

/** Number of mails on the page. */
const maxMails = 50

const style = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.5rem;
  color: light-dark(#16181d, #eff1f4); background: light-dark(#f7f8fa, #101216); }
article { border: 1px solid light-dark(#c6cad2, #3a404a); border-radius: 0.75rem; padding: 1rem 1.25rem; margin: 1rem 0;
  background: light-dark(#fff, #181b21); }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; overflow-wrap: anywhere; }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 1rem 0 0; }
a { color: light-dark(#1d4ed8, #9db8ff); }`

const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
}

/** Returns the page, with the newest mail first. */
export async function readMailboxPage(root: string): Promise<OwnAnswer> {
  const mails = await readMails(join(root, mailDirectory))
  const list = mails.map(toArticle).join("\n")
  const empty = "<p>There are no mails yet. Reload the page to look again.</p>"
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mails: fw dev</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Mails</h1>
<p>The program did not send these. They are in <code>${mailDirectory}</code>.</p>
${list || empty}
</main>
</body>
</html>
`
  return { status: 200, type: "text/html; charset=utf-8", body, headers: securityHeaders }
}

/** Reads the mails. Files that are not mails are left out. */
async function readMails(directory: string): Promise<Mail[]> {
  const names = await readdir(directory).catch(() => [])
  const newest = names
    .filter((name) => /^\d+-\w+\.json$/.test(name))
    .sort(compareByCodeUnit)
    .reverse()
    .slice(0, maxMails)
  const mails = await Promise.all(newest.map((name) => readMail(join(directory, name))))
  return mails.filter((mail) => mail !== null)
}

async function readMail(file: string): Promise<Mail | null> {
  try {
    const mail = JSON.parse(await readFile(file, "utf8")) as Partial<Mail> | null
    const { to, subject, text, at } = mail ?? {}
    const isMail = [to, subject, text, at].every((part) => typeof part === "string")
    return isMail ? (mail as Mail) : null
  } catch {
    return null
  }
}

function toArticle({ to, subject, text, at }: Mail): string {
  return `<article>
<h2>${escapeText(subject)}</h2>
<p>To ${escapeText(to)}, <time>${escapeText(at)}</time></p>
<pre>${linkAddresses(text)}</pre>
</article>`
}

/** Returns a text with its addresses as links. */
function linkAddresses(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeText(part)}">${escapeText(part)}</a>` : escapeText(part),
    )
    .join("")
}
