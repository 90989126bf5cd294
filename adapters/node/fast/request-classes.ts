/**
 * Chooses between two forms of a request on Node. The fast form, in this folder, creates Headers, a Response or a
 * stream only if the program asks for one. The environment variable `FW_FAST=false` selects the standard form for all
 * requests. Programs must not notice a difference; any difference is a bug of this folder.
 */
import { IncomingMessage } from "node:http"
import { NodeExchange } from "../exchange.ts"
import { FastExchange } from "./exchange.ts"
import { LazyMessage } from "./lazy-message.ts"

const isFast = process.env.FW_FAST !== "false"

/** The class of exchanges in the form that `FW_FAST` selects. */
export const RequestExchange: typeof NodeExchange = isFast ? FastExchange : NodeExchange

/** The class of which node:http creates its messages, in the form that `FW_FAST` selects. */
export const ServerMessage: typeof IncomingMessage = isFast ? LazyMessage : IncomingMessage
