/** Types for the table of openapi-types.test.ts, as source text. */

/** Declarations that the types of the table use. */
export const shared = `
/** A thing to do.
 *
 * With more text. */
export interface Task { readonly id: number; /** What to do. */ title: string }
export interface Base { z: string; /** Inherited. */ a: number }
export interface Derived extends Base { b: boolean }
export interface Node1 { value: string; children: Node1[] }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export enum Level { Low = "low", High = "high" }
export enum Size { S, M = 5 }
export type State = "open" | "done"
export interface Page<T> { items: T[]; next?: string }
export type Boxed<T> = { value: T }
export type Shape = Circle | Square
export interface Circle { kind: "circle"; r: number }
export interface Square { kind: "square"; side: number }
export type Id = string & { readonly __brand: "Id" }
export class Money { #cents = 1; currency = "EUR"; get cents() { return this.#cents } add() { return this } }
export class Temperature { degrees = 1; toJSON() { return { celsius: this.degrees } } }
export type Nullable<T> = T | null
declare const secret: unique symbol
export interface Odd { call(): void; fn: () => 1; [secret]: 1; u: undefined; "a-b": 1; "__proto__": 2 }
export type Deep<T> = { v: T; n?: Deep<T[]> }
export interface Notes {
  /** Up to ten.
   * @minimum 1
   * @maximum 10
   * @example 3 */
  stars: number
  first: string /** Of first. */
  /** @deprecated Use stars. */
  old?: string; /** The second. */ second: string
  /** @format email
   * @pattern ^.+@ */
  mail: string
  /** @default "now" */
  when?: string }
`
