import * as Context from "effect/Context"
import type { Client } from "../../engine/limit/ClientAddress.ts"

/** Who sent the message that is being answered, as far as limits are concerned. */
export interface Caller {
  /** The client address. Hosted assistants send many people's messages from a few. */
  readonly address: Client
  /** The registered client, counted apart from its addresses. */
  readonly registered: Client
}

/** The caller of the message under way; `null` where there is none, as on standard input. */
export const McpCaller = Context.Reference<Caller | null>("docgauge/server/mcp/McpCaller", { defaultValue: () => null })

/** The registered client as limits know clients, by the digest of its id. */
export const registeredClient = (digest: string): Client => {
  const key = `mcp ${digest}`
  return { address: key, rateKey: key, network: key }
}
