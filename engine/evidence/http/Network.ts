import * as Context from "effect/Context"
import { lookup } from "node:dns"
import { Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"
import { connect, isIPv6, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import process from "node:process"
import type { Lookup, OwnAddresses } from "./Destination.ts"
import { HopFailure, seconds, unlessAborted } from "./HopFailure.ts"
import { ipLiteral, isReservedName } from "./PublicAddress.ts"

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

/** How names are looked up. */
interface ResolverOptions {
  /** Name servers (`ADDRESS` or `ADDRESS:PORT`); `null`: the system's. */
  readonly servers: ReadonlyArray<string> | null
  readonly hostsFile: string
  /** For one look-up with all its tries, in milliseconds. */
  readonly lookupMs: number
}

/** Addresses by name in lower case, in the order of the file. */
type Hosts = ReadonlyMap<string, ReadonlyArray<string>>

/** Where this system keeps its hosts file. */
const SYSTEM_HOSTS_FILE =
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
const makeHostsReader = (path: string): (() => Promise<Hosts>) => {
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

const SYSTEM: ResolverOptions = { servers: null, hostsFile: SYSTEM_HOSTS_FILE, lookupMs: 5_000 }

/** How long a name server has for the first try, in milliseconds, and how often each of them is asked. */
const TRY_MS = 1_500
const TRIES = 2

/** Once there are addresses of one family, how long those of the other one are waited for, in milliseconds. */
const OTHER_FAMILY_MS = 1_000

/**
 * Looks names up by asking the name servers itself (c-ares): `dns.lookup` would hold one of libuv's four threads until the
 * slowest name server gives up, and the database waits for those threads, too. The hosts file comes first, as usual. Names
 * that public DNS does not have (`nas.local`, `wiki`) are the system's to know; only where private addresses are allowed are
 * they looked up at all.
 *
 * A look-up ends when its time is over or its signal aborts, and is shared by those who ask for one name at once. It rejects
 * with the code `ENOTFOUND` (no such name), `EAI_AGAIN` (for the moment), or with a `HopFailure` when its time is over.
 */
export const makeLookup = (options: Partial<ResolverOptions> = {}): Lookup => {
  const { hostsFile, lookupMs, servers } = { ...SYSTEM, ...options }
  const readHosts = makeHostsReader(hostsFile)
  const askSystem = makeSystemLookup()
  const underWay = new Map<string, Question>()

  const addressesOf = async (name: string, stop: AbortSignal): Promise<ReadonlyArray<string>> => {
    const known = (await readHosts()).get(name)
    if (known !== undefined) return known
    stop.throwIfAborted()
    return isReservedName(name) ? askSystem(name) : askServers(name, servers, stop)
  }

  const begin = (name: string): Question => {
    const given = new AbortController()
    const tooLate = new HopFailure("dns", `the name servers did not answer within ${seconds(lookupMs)}`)
    const timer = setTimeout(() => given.abort(tooLate), lookupMs)
    const question: Question = {
      callers: 0,
      end: (reason) => given.abort(reason),
      answer: unlessAborted(addressesOf(name, given.signal), given.signal).finally(() => {
        clearTimeout(timer)
        if (underWay.get(name) === question) underWay.delete(name)
      })
    }
    underWay.set(name, question)
    return question
  }

  return async (host, signal) => {
    const name = host.toLowerCase()
    signal?.throwIfAborted()
    const question = underWay.get(name) ?? begin(name)
    question.callers += 1
    try {
      return await (signal === undefined ? question.answer : unlessAborted(question.answer, signal))
    } finally {
      question.callers -= 1
      if (question.callers === 0) {
        // A later caller begins a look-up of its own.
        if (underWay.get(name) === question) underWay.delete(name)
        question.end(signal?.reason)
      }
    }
  }
}

/** A look-up under way. */
interface Question {
  callers: number
  readonly answer: Promise<ReadonlyArray<string>>
  readonly end: (reason: unknown) => void
}

/** IPv4 addresses first: where IPv6 leads nowhere, connecting would begin with a wait. */
const askServers = async (
  name: string,
  servers: ReadonlyArray<string> | null,
  stop: AbortSignal
): Promise<ReadonlyArray<string>> => {
  // One for each look-up: `cancel` ends all questions of a resolver.
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers !== null) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  stop.addEventListener("abort", cancel, { once: true })
  const timers: Array<NodeJS.Timeout> = []
  const hurry = (addresses: Array<string>): Array<string> => {
    timers.push(setTimeout(cancel, OTHER_FAMILY_MS))
    return addresses
  }
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name).then(hurry), resolver.resolve6(name).then(hurry)])
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    if (addresses.length > 0) return addresses
    throw failureAmong(answers.map((answer) => (answer.status === "rejected" ? codeOf(answer.reason) : "ENODATA")))
  } finally {
    for (const timer of timers) clearTimeout(timer)
    stop.removeEventListener("abort", cancel)
  }
}

const codeOf = (reason: unknown): string => (reason instanceof Error && "code" in reason ? String(reason.code) : "")

const ABSENT: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"])

/** In the system's words, so that both kinds of look-up fail alike. */
const failureAmong = (codes: ReadonlyArray<string>): Error => {
  const isAbsent = codes.includes("ENOTFOUND") || codes.every((code) => ABSENT.has(code))
  if (!isAbsent && codes.every((code) => code === "ETIMEOUT"))
    return new HopFailure("dns", "the name servers did not answer in time")
  return Object.assign(new Error(`look-up failed: ${codes.join(", ")}`), { code: isAbsent ? "ENOTFOUND" : "EAI_AGAIN" })
}

/** Look-ups by the system at once: each holds one of libuv's four threads, which the database and the file system need, too. */
const BY_SYSTEM_AT_ONCE = 2

/** Looks up all addresses of a name by the system's own resolver, which knows search domains, multicast DNS and the like. */
const makeSystemLookup = (): ((name: string) => Promise<ReadonlyArray<string>>) => {
  const waiting: Array<() => void> = []
  let free = BY_SYSTEM_AT_ONCE

  const takeTurn = async (): Promise<void> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  const passOn = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return async (name) => {
    await takeTurn()
    return lookedUpBySystem(name).finally(passOn)
  }
}

const lookedUpBySystem = (name: string): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    lookup(name, { all: true, order: "verbatim" }, (error, answers) => {
      if (error === null) resolve(answers.map(({ address }) => address))
      else reject(error)
    })
  })

/** The network in use: the machine's own unless something else is provided. */
export const Network = Context.Reference<Network>("docgauge/evidence/Network", {
  defaultValue: () => ({ lookup: makeLookup(), dial: systemDial, ownAddresses: makeOwnAddresses() })
})
