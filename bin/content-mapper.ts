#!/usr/bin/env node
/**
 * The program that TypeScript 7.1 starts for the `.tpl` files of a project. `typescript.contentMapper` in
 * package.json names this program.
 */

import { serveMapper } from "./mapper/serve.ts"

await serveMapper(process.stdin, process.stdout)
