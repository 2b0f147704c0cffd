import * as Context from "effect/Context"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import { sharedKey } from "../../../engine/limit/RateSpec.ts"

/**
 * The keys that a message counts for: its grant (one authorization, usually of one user) and, with a multiple of each limit,
 * the client's network, because the users of a hosted assistant share its IP addresses. The client id is not a key: anyone
 * can register any number of clients, and all users of a program may share one.
 *
 * Rate limits check the grant first, so that an exhausted grant takes nothing from its network. Limits by network (the site
 * quota, fairness in the queue) check the network first.
 */
export type Caller = readonly [Client, Client]

/** The caller of the current message; `null` on standard input. */
export const McpCaller = Context.Reference<Caller | null>("docgauge/server/mcp/McpCaller", { defaultValue: () => null })

/** The caller with this grant and IP address. */
export const callerOf = (grant: string, { address, network }: Client, networkFactor: number): Caller => {
  const grantKey = `mcp grant ${grant}`
  const networkKey = sharedKey(networkFactor, `mcp ${network}`)
  return [
    { address, rateKey: grantKey, network: networkKey },
    { address, rateKey: networkKey, network: grantKey }
  ]
}
