// Tests Neovim with only the configuration in docs/reference/editors.md: it shows errors in templates, goes to the
// definitions of names and links, and renames across files.

import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { makeProject, page, projectFiles, removeProject } from "../support/bin/lsp/project.ts"
import { root } from "../support/tsc.ts"

/** A script that waits for each event, and then writes what the editor shows. */
const script = `
local function wait(what, is_done)
  if not vim.wait(60000, is_done, 20) then
    io.stderr:write("did not see " .. what .. "\\n")
    vim.cmd("cquit 3")
  end
end
local function write(name, text)
  local file = io.open(vim.env.FW_OUT .. "/" .. name, "w")
  file:write(text)
  file:close()
end
local function replaced(from, to)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  for number, line in ipairs(lines) do
    local start, stop = line:find(from, 1, true)
    if start then
      vim.api.nvim_buf_set_text(0, number - 1, start - 1, number - 1, stop, { to })
      return
    end
  end
end
local function messages()
  return vim.tbl_map(function(found) return found.lnum + 1 .. ": " .. found.message end, vim.diagnostic.get(0))
end
local page = vim.api.nvim_get_current_buf()
replaced("title={row.name}", "title={row.nmae}")
wait("the type error", function() return #vim.diagnostic.get(0) > 0 end)
write("types", table.concat(messages(), "\\n"))
replaced("title={row.nmae}", "title={row.name}")
replaced("<section>", "<section")
wait("the syntax error", function() return (messages()[1] or ""):find("a tag cannot contain") ~= nil end)
replaced("<section", "<section>")
wait("no error", function() return #vim.diagnostic.get(0) == 0 end)
for _, place in ipairs({ { 'Card("Open', "template Card" }, { "/?id", "template Page" } }) do
  vim.fn.search(place[1], "w")
  vim.lsp.buf.definition()
  wait(place[2], function() return vim.fn.getline("."):find(place[2], 1, true) ~= nil end)
end
vim.fn.search("template Card", "w")
vim.cmd("normal! w")
vim.lsp.buf.rename("Box")
wait("the rename", function()
  return table.concat(vim.api.nvim_buf_get_lines(page, 0, -1, false), "\\n"):find("template Box", 1, true) ~= nil
end)
vim.cmd("silent! wall")
vim.cmd("qall!")
`

test("Neovim shows the errors of templates, goes to definitions, and renames across files", () => {
  const { status, stdout } = spawnSync("nvim", ["--version"], { encoding: "utf8" })
  assert.is(status, 0, "Neovim is not installed: apt-get install neovim")
  assert.match(stdout, /NVIM v0\.(?:[7-9]|\d\d)/)
  const documented = readFileSync(join(root, "docs/reference/editors.md"), "utf8")
  const configuration = /^```lua\n([\s\S]*?)^```$/m.exec(documented)?.[1]
  assert.ok(configuration)
  const directory = makeProject(projectFiles("./page.tpl.ts"), "typescript")
  try {
    const files = { out: join(directory, ".out"), bin: join(directory, "node_modules/.bin") }
    for (const folder of Object.values(files)) mkdirSync(folder)
    writeFileSync(join(directory, "init.lua"), configuration)
    writeFileSync(join(directory, "script.lua"), script)
    // npx runs the program that npm would have linked.
    writeFileSync(join(files.bin, "fw"), '#!/bin/sh\nexec node node_modules/fw/dist/bin/fw.js "$@"\n', {
      mode: 0o755,
    })
    const args = ["--clean", "--headless", "-u", "init.lua", "app/page.tpl", "-c", "luafile script.lua"]
    const env = { ...process.env, FW_OUT: files.out, HOME: directory, XDG_STATE_HOME: files.out }
    const ended = spawnSync("nvim", args, { cwd: directory, env, encoding: "utf8", timeout: 180_000 })
    assert.is(ended.status, 0, `${ended.stdout}${ended.stderr}`)
    const types = readFileSync(join(files.out, "types"), "utf8")
    assert.match(types, /^7: Property 'nmae' does not exist on type 'T'\./)
    assert.is(readFileSync(join(directory, "app/page.tpl"), "utf8"), page.replaceAll("Card", "Box"))
    const use = readFileSync(join(directory, "app/use.ts"), "utf8")
    assert.match(use, 'import { Box, heading, Row } from "./page.tpl.ts"')
    assert.match(use, "export const card = Box")
  } finally {
    removeProject(directory)
  }
})

test.run()
