/**
 * The switch between the two forms of a request on Node. The fast form, in this folder, creates Headers, a Response or
 * a stream only when the program asks for one. `FW_FAST=false` selects the standard form for every request. A program
 * cannot tell the two apart, so any difference is a bug of this folder.
 */
import { IncomingMessage } from "node:http"
import { NodeExchange } from "../exchange.ts"
import { FastExchange } from "./exchange.ts"
import { LazyMessage } from "./lazy-message.ts"

const isFast = process.env.FW_FAST !== "false"

/** The class of the requests that an app reads. */
export const RequestExchange: typeof NodeExchange = isFast ? FastExchange : NodeExchange

/** The class of the messages that node:http makes. */
export const ServerMessage: typeof IncomingMessage = isFast ? LazyMessage : IncomingMessage
