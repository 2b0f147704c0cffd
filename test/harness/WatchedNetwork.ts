/*
 * Loaded into every process of the service before the service itself (`NODE_OPTIONS`): names lead to the addresses that they
 * spell (`a-10-0-0-1.example.org` to 10.0.0.1, `a-fd00--1.example.org` to fd00::1), no name server is asked, and every
 * connection that is begun is told, a line of the file that `?log=` names, instead of being made.
 */
import { Resolver } from "node:dns/promises"
import { appendFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"

const LOG = new URL(import.meta.url).searchParams.get("log") ?? "/dev/null"

const addressOf = (name: string): string => {
  const spelt = /^[ab]-([^.]+)/.exec(name)?.[1] ?? ""
  return name.startsWith("b-") ? spelt.replaceAll("-", ":") : spelt.replaceAll("-", ".")
}

const addressesOf = (name: string, family: number): ReadonlyArray<string> => {
  const addresses = name.split("--and--").map(addressOf)
  return addresses.filter((address) => net.isIP(address) === family)
}

/** As name servers answer: a family that a name lacks is an error. */
const answerFor = async (name: string, family: number): Promise<ReadonlyArray<string>> => {
  const addresses = addressesOf(name, family)
  if (addresses.length === 0) throw Object.assign(new Error(`${name} has no such address`), { code: "ENODATA" })
  return addresses
}

Object.assign(Resolver.prototype, {
  resolve4: (name: string) => answerFor(name, 4),
  resolve6: (name: string) => answerFor(name, 6)
})

net.Socket.prototype.connect = function connect(this: net.Socket, ...args: ReadonlyArray<unknown>) {
  appendFileSync(LOG, `${JSON.stringify(args)}\n`)
  return this.destroy(new Error("connections are watched"))
}

syncBuiltinESMExports()
