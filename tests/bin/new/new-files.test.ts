/** Tests of the files that a new project has for editors, GitHub and Docker. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { parse } from "yaml"
import { type ProjectTemplate, readScaffoldFiles, renderPackageJSON } from "../../../bin/new/scaffold.ts"
import { App } from "../../../lib/app.ts"
import { named, readParts } from "../../support/bin/new/dockerfile.ts"
import { deployFiles } from "../../support/docs/deploy-files.ts"

const versions = { "@types/node": "1", esbuild: "1", typescript: "1" }

async function listFiles(template: ProjectTemplate): Promise<Map<string, string>> {
  const files = await readScaffoldFiles({ name: "my-shop", template, versions })
  const texts = files.map(({ file, content }) => [file, content.toString()] as const)
  assert.is(new Set(texts.map(([file]) => file)).size, texts.length, "a file is listed twice")
  return new Map(texts)
}

for (const template of ["full-stack", "api"] as const) {
  const { imports, scripts } = JSON.parse(renderPackageJSON({ name: "my-shop", template, versions }, "1")) as {
    imports: Record<string, string>
    scripts: Record<string, string>
  }

  test(`${template}: code without routes is imported as #lib, and the README says so`, async () => {
    assert.equal(imports, {
      "#lib/*": "./lib/*",
      "#links": "./.fw/links.ts",
      "#jobs": "./.fw/jobs.ts",
      "#assets": "./.fw/assets.ts",
    })
    assert.match((await listFiles(template)).get("README.md") ?? "", /`#lib\/site\.ts` imports `lib\/site\.ts`/)
  })

  test(`${template}: tsconfig.json names the content mapper of templates, and only TypeScript 7.1 and later get the flag for it`, async () => {
    const { contentMappers } = JSON.parse((await listFiles(template)).get("tsconfig.json") ?? "") as {
      contentMappers?: unknown
    }
    assert.equal(contentMappers, [{ package: "fw", extensions: [".tpl"] }])
    const checks = ["~7.0.2", "~7.1.0", "7.10.0-beta", "^8.0.0"].map((typescript) => {
      const written = renderPackageJSON({ name: "my-shop", template, versions: { ...versions, typescript } }, "1")
      return (JSON.parse(written) as { scripts: { check: string } }).scripts.check.split(" && ").slice(1)
    })
    const expect = (tsc: string) => (template === "api" ? [tsc] : [tsc, `${tsc} -p assets`])
    const later = expect("tsc --noEmit --runExternalCode")
    assert.equal(checks, [expect("tsc --noEmit"), later, later, later])
  })

  test(`${template}: the settings for editors are valid, and their debuggers use scripts that exist`, async () => {
    const files = await listFiles(template)
    const read = (file: string) => JSON.parse(files.get(`.vscode/${file}.json`) ?? "")
    assert.is(read("settings")["files.exclude"]["**/*.tpl.ts"], true)
    assert.is(read("settings")["files.associations"] !== undefined, template === "full-stack")
    const { recommendations } = read("extensions") as { recommendations: string[] }
    assert.is(recommendations.includes("bradlc.vscode-tailwindcss"), template === "full-stack")
    const { configurations } = read("launch") as { configurations: { runtimeArgs: string[] }[] }
    const started = configurations.map(({ runtimeArgs }) => runtimeArgs.find((word) => word !== "run") as string)
    assert.equal(started, ["dev", "test"])
    for (const name of started) assert.ok(scripts[name], `package.json has no script ${name}`)
    assert.match(files.get(".editorconfig") ?? "", /^root = true$/m)
  })

  test(`${template}: the GitHub workflow installs, checks and tests, has only read access, and names actions by digest`, async () => {
    const text = (await listFiles(template)).get(".github/workflows/test.yml") ?? ""
    const workflow = parse(text)
    assert.equal([workflow.permissions, workflow.jobs.test.permissions], [{}, { contents: "read" }])
    const actions = text.match(/uses: .*/g) ?? []
    assert.is(actions.length, 2)
    for (const action of actions) assert.match(action, /^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    const steps = workflow.jobs.test.steps as { run?: string }[]
    const runs = steps.flatMap(({ run }) => run ?? [])
    assert.equal(runs, ["npm ci", "npm run check", "npm test"])
    for (const run of runs)
      assert.ok(run === "npm ci" || scripts[run.replace(/^npm (?:run )?/, "")], `package.json has no script for ${run}`)
  })

  test(`${template}: the Docker image contains only the executable and its libraries, and runs as a user other than root`, async () => {
    const text = (await listFiles(template)).get("Dockerfile") ?? ""
    assert.match(text, "docker build -t my-shop .")
    const [build = [], last = [], ...more] = readParts(text)
    assert.equal([named(build, "FROM"), named(last, "FROM"), more], [["node:24 AS build"], ["scratch"], []])
    // The last stage runs no command, because its image has no shell.
    assert.equal(named(last, "RUN"), [])
    assert.equal(named(last, "USER"), ["65532:65532"])
    // The program gets the signals only if no shell starts it.
    assert.equal(named(last, "ENTRYPOINT"), ['["/usr/local/bin/my-shop"]'])
    assert.equal([named(last, "EXPOSE"), named(last, "STOPSIGNAL")], [["3000"], ["SIGTERM"]])
    const owned = named(last, "COPY").map((line) => line.includes("--chown=65532:65532"))
    assert.equal(owned, [false, true])
  })

  test(`${template}: git ignores secrets and files that are written at run time`, async () => {
    const root = mkdtempSync(join(tmpdir(), "fw-new-files-"))
    const files = await listFiles(template)
    writeFileSync(join(root, ".gitignore"), files.get(".gitignore") ?? "")
    execFileSync("git", ["init", "--quiet"], { cwd: root })
    const written = [
      "data/app.db",
      "data/uploads/a.png",
      "app.sqlite",
      "shop.tar",
      "shop.tar.cdx.json",
      ".env",
      ".env.local",
      ".fw/dev.json",
    ]
    written.push("bin/my-shop", "dist/node/server.mjs", "static/css/output.css")
    const kept = [".env.example", "data/.gitignore", "main.ts", "app/bin/page.tpl", "app/dist/page.tpl"]
    kept.push("lib/bin/x.ts", "app/.fw/page.tpl", "app/shop.tar/page.tpl")
    const ignored = execFileSync("git", ["check-ignore", ...written], { cwd: root, encoding: "utf8" })
    assert.equal(ignored.trim().split("\n"), written)
    assert.throws(() => execFileSync("git", ["check-ignore", ...kept], { cwd: root }))
    for (const line of ["*.tar", "data", ".env*", "node_modules", ".git"])
      assert.ok(files.get(".dockerignore")?.split("\n").includes(line), `.dockerignore does not contain ${line}`)
  })

  test(`${template}: .env has a secret for signed cookies that differs in every project`, async () => {
    const secrets = [await listFiles(template), await listFiles(template)].map(
      (files) => parseEnv(files.get(".env") ?? "").FW_SECRETS ?? "",
    )
    for (const secret of secrets) assert.is(Buffer.from(secret, "base64").length, 48)
    assert.is.not(secrets[0], secrets[1])
    assert.match(
      (await listFiles(template)).get(".env.example") ?? "",
      /^#FW_SECRETS=$/m,
      "FW_SECRETS is missing in .env.example, or has a value",
    )
    const app = new App({ logger: false })
    app.get("/", async (c) => {
      await c.setCookie({ name: "a", value: "b", signed: true })
      return c.noContent()
    })
    const answer = await app.request("/", {}, { env: { FW_SECRETS: secrets[0] as string } })
    assert.match(answer.headers.get("set-cookie") ?? "", /^a=b\./)
  })

  test(`${template}: .env.example has only comments and settings that are commented out`, async () => {
    const lines = ((await listFiles(template)).get(".env.example") ?? "").trim().split("\n")
    for (const line of lines) assert.match(line, /^(?:#.*)?$/)
    for (const name of ["FW_LOG_LEVEL", "FW_SECRETS", "HOST", "PORT"])
      assert.ok(
        lines.some((line) => line.startsWith(`#${name}=`)),
        `.env.example does not name ${name}`,
      )
  })
}

test("the documentation of deployments shows the Dockerfile of a new project", async () => {
  const files = await readScaffoldFiles({ name: "shop", template: "api", versions })
  const written = files.find(({ file }) => file === "Dockerfile")?.content
  assert.is(deployFiles.get("Dockerfile"), `# Dockerfile\n${written}`)
})

test.run()
