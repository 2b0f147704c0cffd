import * as Context from "effect/Context"
import { connect, isIPv6, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import type { Lookup, OwnAddresses } from "./Destination.ts"
import { ipLiteral } from "./PublicAddress.ts"
import { makeLookup } from "./Resolver.ts"

/** What the door touches of the operating system; replaced in tests that prove what is not touched. */
export interface Network {
  /** All addresses of a name, the hosts file included; see `makeLookup`. */
  readonly lookup: Lookup
  /** Starts a TCP connection to whichever of the addresses answers first; at least one is given. */
  readonly dial: (addresses: ReadonlyArray<string>, port: number) => Socket
  /** The addresses of this machine's interfaces, in canonical spelling. */
  readonly ownAddresses: OwnAddresses
}

/** Node tries several addresses the way browsers do (RFC 8305); it is told them, so that it looks nothing up itself. */
const systemDial = (addresses: ReadonlyArray<string>, port: number): Socket =>
  connect({
    host: "checked.invalid",
    port,
    noDelay: true,
    autoSelectFamily: true,
    lookup: (_host, _options, callback) => {
      callback(
        null,
        addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
      )
    }
  })

/** Interfaces come and go, and reading them takes up to half a millisecond. */
const INTERFACES_MS = 1_000

const makeOwnAddresses = (): OwnAddresses => {
  let known: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - readAt < INTERFACES_MS) return known
    readAt = now
    known = new Set(
      Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => ipLiteral(address) ?? address))
    )
    return known
  }
}

/** The network in use: the machine's own unless something else is provided. */
export const Network = Context.Reference<Network>("docgauge/evidence/Network", {
  defaultValue: () => ({ lookup: makeLookup(), dial: systemDial, ownAddresses: makeOwnAddresses() })
})
