/*
 * Loaded into a process of the service before the service itself (`--import`): names lead to the addresses that they
 * spell (`a-10-0-0-1.example.org` to 10.0.0.1, `a-fd00--1.example.org` to fd00::1), no name server is asked, and every
 * connection that is begun is told over IPC instead of being made.
 */
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import process from "node:process"

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
  process.send?.({ connected: JSON.stringify(args) })
  return this.destroy(new Error("connections are watched"))
}

syncBuiltinESMExports()
process.channel?.unref()
