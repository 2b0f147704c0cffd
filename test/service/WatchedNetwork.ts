/*
 * Loaded into every process of the service before the service itself (`NODE_OPTIONS`): names lead to the addresses that they
 * spell (`a-10-0-0-1.example.org` to 10.0.0.1, `a-fd00--1.example.org` to fd00::1), no name server is asked, and every
 * connection that is begun is told, a line of the file that `?log=` names, instead of being made.
 */
import dns from "node:dns"
import { appendFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import process from "node:process"

const LOG = new URL(import.meta.url).searchParams.get("log") ?? "/dev/null"

const addressOf = (name: string): string => {
  const spelt = /^[ab]-(.+?)\./.exec(name)?.[1] ?? ""
  return name.startsWith("b-") ? spelt.replaceAll("-", ":") : spelt.replaceAll("-", ".")
}

type Answer = (error: Error | null, addresses: ReadonlyArray<{ readonly address: string; readonly family: number }>) => void

Object.assign(dns, {
  lookup: (name: string, _options: unknown, answer: Answer) => {
    const addresses = name.split("--and--").map(addressOf)
    process.nextTick(() => answer(null, addresses.map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }))))
  }
})

net.Socket.prototype.connect = function connect(this: net.Socket, ...args: ReadonlyArray<unknown>) {
  appendFileSync(LOG, `${JSON.stringify(args)}\n`)
  return this.destroy(new Error("connections are watched"))
}

syncBuiltinESMExports()
