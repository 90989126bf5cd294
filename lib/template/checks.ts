/**
 * The statements of a template that only a type check reads, as editors ask for after each key: the same calls with the same code, and
 * neither literal text nor a result.
 */

import type { DynamicAttribute } from "./ast.ts"
import { Output } from "./output.ts"

/**
 * The body of a function that is never run. A statement begins with `void`, because TypeScript asks of each plain call whether it
 * asserts something about the names in later statements.
 */
export class Checks extends Output {
  override literal(): void {}

  override flush(): void {}

  override begin(anchor: number): void {
    this.statement("void ", anchor)
  }

  override attribute({ name, start, code }: DynamicAttribute, convert: string | undefined): void {
    this.statement("void ", start)
    if (!convert) this.writer.write(`${this.helper("$fwAttribute")}("", "", `, code.start)
    this.converted(code, convert, name)
    this.end(convert ? "" : ")", code.end)
  }

  override add(expression: string, anchor: number): void {
    this.statement(`void ${expression}`, anchor)
  }

  override declare(): void {}

  /** Returns a condition that says nothing. TypeScript accepts no other literal in its place. */
  override local(): string {
    return "0"
  }

  override assign(): void {}

  override apart(write: () => void, anchor: number): string {
    if (!this.isJoined) this.line("{\n", anchor)
    this.body(write, anchor)
    if (!this.isJoined) this.line("}\n", anchor)
    return '""'
  }

  override whole(): string {
    return '""'
  }
}
