import * as Context from "effect/Context"
import { connect, isIPv6, type Socket } from "node:net"
import type { Lookup } from "./Destination.ts"
import { makeLookup } from "./Resolver.ts"

/** What the door touches of the operating system; replaced in tests that prove what is not touched. */
export interface Network {
  /** All addresses of a name, the hosts file included; see `makeLookup`. */
  readonly lookup: Lookup
  /** Starts a TCP connection to whichever of the addresses answers first; at least one is given. */
  readonly dial: (addresses: ReadonlyArray<string>, port: number) => Socket
}

/** Node tries several addresses the way browsers do (RFC 8305); it is told them, so that it looks nothing up itself. */
const systemDial = (addresses: ReadonlyArray<string>, port: number): Socket =>
  connect({
    host: "checked.invalid",
    port,
    noDelay: true,
    autoSelectFamily: true,
    lookup: (_host, _options, callback) => {
      callback(null, addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })))
    }
  })

/** The network in use: the machine's own unless something else is provided. */
export const Network = Context.Reference<Network>("docgauge/evidence/Network", {
  defaultValue: () => ({ lookup: makeLookup(), dial: systemDial })
})
