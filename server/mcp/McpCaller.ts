import * as Context from "effect/Context"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import { sharedKey } from "../../engine/limit/SharedKey.ts"

/**
 * Whom a message counts for: its grant (one authorization, which is one user's as a rule) and, with a multiple of each limit,
 * the client's network, because the users of a hosted assistant share its addresses. The client's id is no key: anyone can
 * register any number of clients, and all users of a program may share one.
 *
 * Rates are taken from the grant first, so that a grant that has none left takes nothing from its network. What goes by
 * networks (the site quota, turns in the queue) goes by the network first.
 */
export type Caller = readonly [Client, Client]

/** The caller of the message under way; `null` where there is none, as on standard input. */
export const McpCaller = Context.Reference<Caller | null>("docgauge/server/mcp/McpCaller", { defaultValue: () => null })

/** The caller that holds the grant and writes from the address. */
export const callerOf = (grant: string, { address, network }: Client, networkFactor: number): Caller => {
  const grantKey = `mcp grant ${grant}`
  const networkKey = sharedKey(networkFactor, `mcp ${network}`)
  return [
    { address, rateKey: grantKey, network: networkKey },
    { address, rateKey: networkKey, network: grantKey }
  ]
}
