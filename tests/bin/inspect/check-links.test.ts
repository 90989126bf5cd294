/**
 * Tests of the check of links in templates, redirects, static files, `main.ts` and the proxy: links that lead
 * nowhere, and correct links that look broken.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are template literals in templates
import { execFileSync } from "node:child_process"
import { rm, writeFile } from "node:fs/promises"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { lintProject } from "../../../bin/inspect/project-sources.ts"
import { type Files, handlers, inProject, page } from "../../support/lib/scan/scan-project.ts"

const links = suite("links")

const shop: Files = {
  "app/layout.tpl": 'template Layout(title: string, c: Context) {\n  <html><body id="b">{children}</body></html>\n}\n',
  "app/users/page.tpl": page,
  "app/users/route.ts": handlers("Post"),
  "app/users/new/page.tpl": page,
  "app/users/[id]/route.ts": handlers("Get", "Delete"),
  "app/users/[id]/posts/[post]/route.ts": handlers("Get"),
  "app/jobs/import/route.ts": handlers("Post"),
  "app/jobs/[id]/route.ts": handlers("Get"),
  "app/sent/route.ts": handlers("Post"),
  "app/docs/[...path]/page.tpl": page,
  "app/shop/[[...cat]]/route.ts": handlers("Get"),
  "app/hooks/route.ts": handlers("All"),
  "app/chat/route.ts": handlers("Socket"),
  "app/café/route.ts": handlers("Get"),
  "static/app.css": "",
  "static/img/a b.png": "",
  "static/about/index.html": "",
}

/** Returns the findings about links as `line:column message`. */
async function broken(files: Files): Promise<string[]> {
  const found = await inProject({ ...shop, ...files }, (root) => lintProject({ root, appDir: "app" }))
  return found
    .filter(({ code }) => code === "broken_link")
    .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
}

/** Checks lines of markup. Each row has a line and, if the line is wrong, the message that it must cause. */
function markup(title: string, rows: ReadonlyArray<readonly [line: string, message?: string]>): void {
  links(title, async () => {
    const text = `template Page(c: Context) {\n${rows.map(([line]) => `${line}\n`).join("")}}\n`
    const found = await broken({ "app/page.tpl": text })
    const lines = new Map(found.map((one) => [Number(one.split(":")[1]), one.replace(/^\S+ /, "")]))
    for (const [at, [line, message]] of rows.entries()) assert.is(lines.get(at + 2), message, line)
    assert.is(found.length, rows.filter(([, message]) => message !== undefined).length)
  })
}

markup("a link to a literal path is correct if a route, a page or a file answers GET", [
  ['<a href="/"></a>'],
  ['<a href="/users"></a>'],
  ['<a href="/users/"></a>'],
  ['<a href="/users/7?tab=a#b"></a>'],
  ['<a href=" /users "></a>'],
  ['<a href="/%75sers"></a>'],
  ['<a href="/a/../users"></a>'],
  ['<a href="/caf%C3%A9"></a>'],
  ['<a href="/café"></a>'],
  ['<a href="/docs/a/b/c"></a>'],
  ['<a href="/shop"></a> <a href="/shop/a"></a>'],
  ['<a href="/hooks"></a> <a href="/chat"></a>'],
  ['<link rel="stylesheet" href="/static/app.css?v=1">'],
  ['<link rel="stylesheet" href="/static/css/output.css">'],
  ['<img src="/static/img/a%20b.png">'],
  ['<a href="/static/about/"></a> <a href="/static/about"></a>'],
  ['<svg><use href="/static/app.css#x"/></svg>'],
  ['<a href="/__fw/docs"></a>'],
  ['<a href="/user/7"></a>', "no route answers GET /user/7. The nearest is /users/{id}"],
  ['<a href="/usr/7"></a>', "no route answers GET /usr/7. The nearest is /users/{id}"],
  ['<a href="/user/new"></a>', "no route answers GET /user/new. The nearest is /users/new"],
  ['<a href="/docs"></a>', "no route answers GET /docs. The nearest is /docs/*"],
  ['<a href="/dogs/a/b"></a>', "no route answers GET /dogs/a/b. The nearest is /docs/*"],
  ['<a href="/users/7/posts"></a>', "no route answers GET /users/7/posts. The nearest is /users/{id}/posts/{post}"],
  ['<a href="/Users"></a>', "no route answers GET /Users. The nearest is /users"],
  ['<img src="/static/img/a.png">', "there is no file static/img/a.png. The nearest is /static/img/a%20b.png"],
  ['<script src="/static/nothing-like-it.js"></script>', "there is no file static/nothing-like-it.js"],
  ['<a href="/app.css"></a>', "no route answers GET /app.css, and no file has this path"],
  ['<my-link href="/nope"></my-link>', "no route answers GET /nope"],
])

markup("links that lead elsewhere, or of which too little is known, are not checked", [
  ['<a href="https://example.com/nope"></a> <a href="//example.com/nope"></a>'],
  ['<a href="mailto:a@example.com"></a> <a href="tel:1"></a>'],
  ['<a href="#nope"></a> <a href="?page=2"></a> <a href=""></a> <a href></a>'],
  ['<a rel="external" href="/nope"></a> <a rel="nofollow external" href={"/nope"}></a>'],
  ['<a href={c.path}></a> <a href={`${c.path}/nope`}></a> <a href={c.path + "/nope"}></a>'],
  ['<a {...{ href: "/nope" }}></a>'],
  ['<a href="/a\\b"></a> <a href="/%zz"></a>'],
  ['<a title="/nope" data-href="/nope"></a>'],
  ['<p hx-push-url="true" hx-replace-url="false"></p>'],
  ['<form method="dialog" action="/nope"></form>'],
])

markup("with a <base>, a relative link is not checked", [['<base href="/nope"> <a href="nope"></a>']])

markup("an expression in a link stands for one or more characters of a segment, or for the rest of the path", [
  ["<a href={`/users/${c.path}`}></a>"],
  ["<a href={`/users/${c.path}/posts/${c.path}`}></a>"],
  ["<a href={`/users${c.path}`}></a> <a href={`/users?q=${c.path}`}></a> <a href={`/users/${c.path}?q=1`}></a>"],
  ['<a href={"/users/" + c.path}></a> <a href={"/users/" + c.path + "/posts/1"}></a>'],
  ['<a href={c.isHTMX ? "/users" : "/users/new"}></a> <a href={c.isHTMX && "/users"}></a>'],
  ["<a href={`/docs/${c.path}/x/${c.path}`}></a> <a href={`/${c.path}`}></a>"],
  ["<a href={`/use${c.path}/x/y/z/nope`}></a>"],
  ["<img src={`/static/uploads/${c.path}.png`}>"],
  ['<a href={`/u${"x"}rs`}></a>'],
  ["<a href={`/user/${c.path}`}></a>", "no route answers GET /user/{…}. The nearest is /users/{id}"],
  [
    "<a href={`/users/${c.path}/post/${c.path}`}></a>",
    "no route answers GET /users/{…}/post/{…}. The nearest is /users/{id}/posts/{post}",
  ],
  ["<a href={`/users/${c.path}/nope?a=1`}></a>", "no route answers GET /users/{…}/nope. The nearest is /users/{id}"],
  ['<a href={"/user/" + c.path}></a>', "no route answers GET /user/{…}. The nearest is /users/{id}"],
  ['<a href={c.isHTMX ? "/users" : "/nope"}></a>', "no route answers GET /nope"],
])

markup("a route must answer the method that a form, a button or htmx sends", [
  ['<form action="/users"></form> <form action="/users" method="POST"></form>'],
  ['<form action="/users" method={c.method}></form>'],
  ['<form action="/hooks" method="post"></form>'],
  ['<form action="/users"><button formaction="/users" formmethod="post">x</button></form>'],
  ['<form action="/users" method="post"><button formaction="/users">x</button></form>'],
  ['<button form="f" formaction="/users/7">x</button> <button formaction="/users/7">x</button>'],
  ['<p hx-get="/users" data-hx-post="/users" hx-delete:inherited="/users/7"></p>'],
  ["<p hx-delete={`/users/${c.path}`}></p>"],
  ['<p hx-action="/users/7" hx-method="delete"></p> <p hx-action="/users/7"></p>'],
  ['<form action="/users/7" method="post"></form>', "/users/7 answers DELETE, GET, not POST"],
  ['<form action="/users/7" {...{}}></form>'],
  [
    '<form action="/users/7" method="post"><button formmethod="get">x</button></form>',
    "/users/7 answers DELETE, GET, not POST",
  ],
  ['<form action="/users/7"><button formmethod="post">x</button></form>', "/users/7 answers DELETE, GET, not POST"],
  ['<form action="/sent"><button formmethod="post">x</button></form>', "/sent answers POST, not GET"],
  ['<form method="post" action="/sent"><button formmethod="get">x</button></form>', "/sent answers POST, not GET"],
  ['<form method="post" action="/sent"><button formmethod="post" {...{}}>x</button></form>'],
  ['<form action="/jobs/import"></form>', "/jobs/import answers POST, not GET, which goes to /jobs/{id}"],
  ['<p hx-get="/jobs/import"></p>', "/jobs/import answers POST, not GET, which goes to /jobs/{id}"],
  ['<p hx-post="/jobs/import"></p>'],
  [
    '<form action="/users" method="post"><p><button formaction="/users/new">x</button></p></form>',
    "/users/new answers DELETE, GET, not POST",
  ],
  [
    '<form action="/users"><input type="image" formaction="/users/7" formmethod="post"></form>',
    "/users/7 answers DELETE, GET, not POST",
  ],
  ['<p hx-put="/users/7"></p>', "/users/7 answers DELETE, GET, not PUT"],
  ["<p hx-patch={`/users/${c.path}`}></p>", "/users/{…} answers DELETE, GET, not PATCH"],
  ['<p data-hx-delete="/users"></p>', "/users answers GET, POST, not DELETE"],
  ['<p hx-action="/users" hx-method="put"></p>', "/users answers GET, POST, not PUT"],
  ['<p hx-push-url="/nope"></p>', "no route answers GET /nope"],
  ['<p hx-post="/static/app.css"></p>', "/static/app.css is a file, which answers GET, not POST"],
])

links("the fix of a form without a method is to add it", async () => {
  const text = 'template Page() {\n  <form action="/sent"></form>\n}\n'
  const found = await inProject({ ...shop, "app/page.tpl": text }, (root) => lintProject({ root, appDir: "app" }))
  assert.equal(
    found.map(({ fix }) => fix),
    ['Write <form method="post">.'],
  )
})

links("the fix of a wrong method names the missing export, and the methods that a form can send", async () => {
  const text = `template Page() {
  <form action="/users/7" method="delete"></form>
  <p hx-put="/users/new"></p>
}
`
  const found = await inProject(
    { ...shop, "app/page.tpl": text, "app/users/[id]/route.ts": handlers("Delete") },
    (root) => lintProject({ root, appDir: "app" }),
  )
  assert.equal(
    found.filter(({ code }) => code === "broken_link").map(({ message, fix }) => `${message}. ${fix}`),
    [
      '/users/7 answers DELETE, not GET. A form sends only GET and POST. Write hx-delete="/users/7", or answer POST.',
      "/users/new answers DELETE, GET, not PUT. Change the method, or export Put from app/users/[id]/route.ts.",
    ],
  )
})

const post = { "app/users/route.ts": handlers("Post"), "app/teams/[id]/route.ts": handlers("Post") }
const forms: ReadonlyArray<readonly [name: string, form: string, place?: string]> = [
  ["without an action", "<form>", "app/users/page.tpl:2:3"],
  ["with an action", '<form action="/users?a=1">', "app/users/page.tpl:2:9"],
  ["with a path", "<form action={`/teams/${c.path}`}>", "app/users/page.tpl:2:9"],
  ["that is a search", '<form method="get">'],
  ["with a method that is not known", "<form {...c}>"],
  ["that htmx sends", '<form hx-post="/users">'],
  ["that a script sends", '<form @submit.prevent="send()">'],
  ["with a button", '<form><button formmethod="post">x</button>'],
  ["next to one that sends POST", '<form method="post"></form><form>'],
  ["to a page without Post", '<form action="/">'],
]
for (const [name, form, place] of forms) {
  links(`a form without a method ${place ? "is reported" : "is correct"}: ${name}`, async () => {
    const text = `template Page(c: Context) {\n  ${form}</form>\n}\n`
    const pages = { "app/page.tpl": page, "app/teams/[id]/page.tpl": page, "app/users/page.tpl": text }
    const found = await inProject({ ...pages, ...post }, (root) => lintProject({ root, appDir: "app" }))
    const methods = found.filter(({ code }) => code === "form_method")
    assert.equal(
      methods.map(({ file, line, column }) => `${file}:${line}:${column}`),
      place ? [place] : [],
    )
    if (!place) return
    assert.match(
      methods[0]?.message ?? "",
      /sends GET, .*Post of app\/(?:users|teams\/\[id\])\/route\.ts is not called/,
    )
    assert.match(methods[0]?.fix ?? "", 'Write <form method="post">.')
  })
}

const files: ReadonlyArray<readonly [title: string, files: Files, expected: readonly string[]]> = [
  [
    "a link in a template that is not a page is checked, and in markup inside of an expression",
    {
      "app/_parts/row.tpl": 'template Row() {\n  {if (1) {<a href="/nope"></a>} else {<b></b>}}\n}\n',
      "lib/box.tpl":
        'template Box(h: unknown) {{children}}\ntemplate Two() {\n  {Box({<a href="/nope"></a>}) {<i></i>}}\n}\n',
    },
    ["app/_parts/row.tpl:2:15 no route answers GET /nope", "lib/box.tpl:3:12 no route answers GET /nope"],
  ],
  [
    "a relative link of a page is relative to its path",
    {
      "app/users/new/page.tpl":
        'template Page() {\n  <a href="7"></a> <a href="../docs/x"></a> <a href="./new"></a>\n  <a href="users"></a>\n  <a hx-get="x/y"></a>\n}\n',
      "app/users/page.tpl":
        'template Page() {\n  <a href="users/new"></a>\n  <a href="new"></a>\n}\ntemplate Other() {\n  <a href="new"></a>\n}\n',
    },
    ["app/users/page.tpl:3:6 no route answers GET /new", "app/users/page.tpl:6:6 no route answers GET /new"],
  ],
  [
    "a form without an action is sent to its page",
    {
      "app/users/page.tpl": 'template Page() {\n  <form method="post"></form>\n}\n',
      "app/users/new/page.tpl":
        'template Page() {\n  <form method="post"></form>\n  <form method="post" hx-post="/users"></form>\n  <form></form>\n}\n',
    },
    ["app/users/new/page.tpl:2:3 /users/new answers DELETE, GET, not POST"],
  ],
  [
    "forms of a page that a route of another directory prints are not checked, because their path is not known",
    {
      "app/users/new/page.tpl": 'template Page() {\n  <form method="post"></form>\n}\n',
      "app/hooks/route.ts":
        'import { Page } from "../users/new/page.tpl.ts"\nexport function All(c) { return c.html(200, Page()) }\n',
    },
    [],
  ],
  [
    "the target of a redirect is checked, in any code but tests",
    {
      "app/users/route.ts":
        'export function Post(c) {\n  if (c.x) return c.redirect(303, "/nope")\n  if (c.y) return c.redirect(`/user/${c.id}`, 302)\n  if (c.z) return c.redirect(307, "/users")\n  return c.redirect(303, "https://example.com/nope")\n}\n',
      "lib/guard.ts":
        'export const guard = (c) => c.redirect(303, c.ok ? "/users" : "/login")\n// c.redirect(303, "/comment")\n',
      "tests/support/a.ts": 'c.redirect(303, "/nope")\n',
      "app/a.test.ts": 'c.redirect(303, "/nope")\n',
    },
    [
      "app/users/route.ts:2:21 no route answers GET /nope",
      "app/users/route.ts:3:21 no route answers GET /user/{…}. The nearest is /users/{id}",
      "lib/guard.ts:1:31 no route answers GET /login",
    ],
  ],
  [
    "a redirect that keeps the method of the request may lead to a route that answers any method",
    {
      "app/only/route.ts": handlers("Post"),
      "lib/a.ts": 'c.redirect(308, "/only")\nc.redirect(303, "/only")\n',
    },
    ["lib/a.ts:2:3 /only answers POST, not GET"],
  ],
  [
    "a template with an error is checked as far as it can be read, and a feed is not",
    {
      "app/a.tpl": 'template A() {\n  <a href="/nope"></a>\n}\ntemplate B() {\n  <p\n}\n',
      "app/feed.xml.tpl": 'template Feed() {<a href="/nope"/>}\n',
    },
    ["app/a.tpl:2:6 no route answers GET /nope"],
  ],
]

for (const [title, given, expected] of files) {
  links(title, async () => assert.equal(await broken(given), expected))
}

const nope = 'template Page() {\n  <a href="/nope/x"></a>\n}\n'

/** Code that answers /nope/x in some way, and code that does not. */
const answered: ReadonlyArray<readonly [code: string, isAnswered: boolean]> = [
  ['app.get("/nope/x", f)', true],
  ['app.get("/nope/{id}", f)', true],
  ['app.all("/nope/*", f)', true],
  ['app.registerRoute("GET", "/nope/x", f)', true],
  ['app.group("/nope", (g) => g.get("/x", f))', true],
  ['app.mountHandler("/nope", other.fetch)', true],
  ['app.router.mount("/nope", other.fetch)', true],
  ['app.static("/nope", dir)', true],
  ['app.use(serves({ at: "/nope" }))', true],
  ["for (const path of paths) app.get(path, f)", true],
  ["app.notFound((c) => c.html(200, index))", true],
  ['app.openapi("/nope/x")', true],
  ['import { add } from "./lib/add.ts"\nadd(app)', true],
  ['import { add } from "#lib/add.ts"\nadd(app)', true],
  ['import { docs } from "some-docs"\ndocs(app)', true],
  ['import docs, { x } from "@some/docs"\ndocs.setup.all(1, app, x)', true],
  ['import { docs } from "./docs.ts"\ndocs(app)', false],
  ['import { docs } from "some-docs"\ndocs(other)', false],
  ["await app.mount(routes)", false],
  ["const cache = new Map()\ncache.get(key)", false],
  ['app.post("/nope/x", f)', false],
  ['app.static("/nope", "files")', false],
  ['app.static("/nope", "data/made-later", { embed: false })', true],
  ['app.health({ live: "/nope/x" })', true],
  ["app.openapi()", false],
  ["app.health()", false],
]

for (const [code, isAnswered] of answered) {
  links(
    `with ${JSON.stringify(code)} in main.ts, a link to /nope/x is ${isAnswered ? "correct" : "reported"}`,
    async () => {
      const found = await broken({
        "app/page.tpl": nope,
        "main.ts": `import { App } from "fw"\nconst app = new App()\n${code}\nexport default app\n`,
        "lib/add.ts": 'import { more } from "./more.ts"\nexport const add = more\n',
        "lib/more.ts": 'export const more = (app: App) => app.get("/nope/x", f)\n',
        "files/y": "",
        "package.json": '{ "imports": { "#lib/*": "./lib/*" } }',
      })
      assert.is(found.length, isAnswered ? 0 : 1, found.join("\n"))
    },
  )
}

links("links to the default paths of app.health() are correct if app.health() is called", async () => {
  const page = 'template Page() {\n  <a href="/health/live"></a><a href="/health/ready"></a>\n}\n'
  const main = (code: string) => `import { App } from "fw"\nconst app = new App()\n${code}\nexport default app\n`
  assert.equal(await broken({ "app/page.tpl": page, "main.ts": main("app.health()") }), [])
  assert.is((await broken({ "app/page.tpl": page, "main.ts": main("") })).length, 2)
})

const proxies: ReadonlyArray<readonly [matcher: string, body: string, isAnswered: boolean]> = [
  ["/nope/:path*", "return proxy.rewrite(c.path.slice(5))", true],
  ["/nope/:path*", "return proxy.redirect(`/users${c.path}`)", true],
  ["/nope/:path*", 'return c.path === "/nope/x" ? proxy.redirect("/users") : proxy.continue()', true],
  ["/nope/:path*", 'return c.path.startsWith("/nope") ? proxy.redirect("/users") : proxy.continue()', true],
  ["/nope/:path*", 'return c.user ? proxy.continue() : proxy.redirect("/users")', false],
  ["/nope/:path*", "return c.user ? proxy.continue() : proxy.redirect(login, 303)", false],
  ["/users/:path*", "return proxy.rewrite(c.path.slice(5))", false],
]

for (const [matcher, body, isAnswered] of proxies) {
  links(
    `a proxy for ${matcher} with ${body} makes a link to /nope/x ${isAnswered ? "right" : "a mistake"}`,
    async () => {
      const proxy = `export const ProxyConfig = { matcher: [${JSON.stringify(matcher)}] }\nexport function Proxy(c) { ${body} }\n`
      const found = await broken({ "app/page.tpl": nope, "app/proxy.ts": proxy })
      assert.is(found.length, isAnswered ? 0 : 1, found.join("\n"))
    },
  )
}

links("a missing file that git ignores is generated later, so a link to it is not reported", async () => {
  const text = `template Page() {
  <script src="/static/made/app.js"></script>
  <script src="/static/app.js"></script>
}
`
  const given = { ...shop, "app/page.tpl": text, ".gitignore": "static/made/\n" }
  const found = await inProject(given, async (root) => {
    execFileSync("git", ["init", "--quiet"], { cwd: root })
    return lintProject({ root, appDir: "app" })
  })
  assert.equal(
    found.filter(({ code }) => code === "broken_link").map(({ message }) => message),
    ["there is no file static/app.js. The nearest is /static/app.css"],
  )
})

links("the links of a file are read again after it changes, and checked again after the routes change", async () => {
  await inProject({ ...shop, "app/page.tpl": nope }, async (root) => {
    const count = async () =>
      (await lintProject({ root, appDir: "app" })).filter(({ code }) => code === "broken_link").length
    assert.is(await count(), 1)
    await writeFile(`${root}/app/page.tpl`, 'template Page() {\n  <a href="/hooks"></a>\n}\n')
    assert.is(await count(), 0)
    await rm(`${root}/app/hooks`, { recursive: true })
    assert.is(await count(), 1)
  })
})

links.run()
