import * as Context from "effect/Context"
import { lookup } from "node:dns"
import { connect, isIPv6, type Socket } from "node:net"
import type { Lookup } from "./Destination.ts"

/** What the door touches of the operating system; replaced in tests that prove what is not touched. */
export interface Network {
  /** All addresses of a name, as the system's resolver has them (hosts file included). */
  readonly lookup: Lookup
  /** Starts a TCP connection to whichever of the addresses answers first; at least one is given. */
  readonly dial: (addresses: ReadonlyArray<string>, port: number) => Socket
}

const underWay = new Map<string, Promise<ReadonlyArray<string>>>()

/** Connections that open at once to one host share a look-up: the system has only few threads for them. */
const systemLookup: Lookup = (name) => {
  const answers = underWay.get(name) ?? askSystem(name).finally(() => underWay.delete(name))
  underWay.set(name, answers)
  return answers
}

const askSystem: Lookup = (name) =>
  new Promise((resolve, reject) => {
    lookup(name, { all: true, order: "verbatim" }, (error, answers) => {
      if (error === null) resolve(answers.map((answer) => answer.address))
      else reject(error)
    })
  })

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

const systemNetwork: Network = { lookup: systemLookup, dial: systemDial }

/** The network in use: the machine's own unless something else is provided. */
export const Network = Context.Reference<Network>("docgauge/evidence/Network", { defaultValue: () => systemNetwork })
