/** `npm run test:watch`: runs the tests, and runs them again after every change. Ctrl-C stops it. */
import { spawn } from "node:child_process"
import { existsSync, watch } from "node:fs"

const places = ["app", "lib", "tests", "main.ts"].filter((place) => existsSync(place))
let running = false
let changed = false
let timer

function run() {
  changed = false
  running = true
  spawn("npm", ["test", "--silent"], { stdio: "inherit", shell: process.platform === "win32" }).once(
    "close",
    () => {
      running = false
      if (changed) run()
    },
  )
}

for (const place of places) {
  watch(place, { recursive: true }, (_, name) => {
    // The tests write these files themselves.
    if (name?.endsWith(".tpl.ts")) return
    changed = true
    clearTimeout(timer)
    timer = setTimeout(() => !running && run(), 100)
  })
}

run()
