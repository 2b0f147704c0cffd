import { readFile } from "node:fs/promises"
import process from "node:process"
import { ipLiteral } from "./PublicAddress.ts"

/** Addresses by name in lower case, in the order of the file. */
export type Hosts = ReadonlyMap<string, ReadonlyArray<string>>

/** Where this system keeps its hosts file. */
export const SYSTEM_HOSTS_FILE =
  process.platform === "win32"
    ? `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts"

/** Reads the text of a hosts file (hosts(5)): an address, then its names; `#` begins a comment. Wrong lines count for nothing. */
export const parseHosts = (text: string): Hosts => {
  const hosts = new Map<string, Array<string>>()
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/)
    const literal = ipLiteral(address)
    if (literal === null) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      const addresses = hosts.get(name) ?? []
      if (!addresses.includes(literal)) addresses.push(literal)
      hosts.set(name, addresses)
    }
  }
  return hosts
}

/** How long what was read is believed, in milliseconds. */
const READ_AGAIN_MS = 5_000

/** A hosts file, read when it is needed and then for a while not again. A file that cannot be read is an empty one. */
export const makeHostsReader = (path: string): (() => Promise<Hosts>) => {
  let readAt = -Infinity
  let hosts: Promise<Hosts> = Promise.resolve(new Map())
  return () => {
    const now = performance.now()
    if (now - readAt > READ_AGAIN_MS) {
      readAt = now
      hosts = readFile(path, "utf8").then(parseHosts, () => new Map())
    }
    return hosts
  }
}
