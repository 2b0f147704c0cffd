import * as Context from "effect/Context"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import { sharedKey } from "../../engine/limit/SharedKey.ts"

/** Who sent the message that is being answered, as far as limits are concerned. */
export interface Caller {
  /** The grant: one authorization, which is one user's as a rule. */
  readonly grant: Client
  /** The client's network, which has a multiple of each rate: the users of a hosted assistant share its addresses. */
  readonly network: Client
}

/** The caller of the message under way; `null` where there is none, as on standard input. */
export const McpCaller = Context.Reference<Caller | null>("docgauge/server/mcp/McpCaller", { defaultValue: () => null })

/**
 * The caller that holds the grant and writes from the address. The client's id is no key: anyone can register any number
 * of clients, and all users of a program may share one.
 */
export const callerOf = (grant: string, { address, network }: Client, networkFactor: number): Caller => {
  const grantKey = `mcp grant ${grant}`
  const networkKey = sharedKey(networkFactor, `mcp ${network}`)
  return {
    grant: { address: grantKey, rateKey: grantKey, network: grantKey },
    network: { address, rateKey: networkKey, network: networkKey }
  }
}
