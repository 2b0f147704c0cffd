import { BlockList, isIP } from "node:net"
import { type PublishedList, PUBLISHED_LISTS } from "./PublishedLists.ts"

/** Whether an address is one of those that the agent's operator publishes; `null`: we cannot tell. */
export type IsPublished = (agent: string, address: string) => boolean | null

/** Whether agents are who they say, as far as their operators publish their addresses. */
export interface Verification {
  readonly isPublished: IsPublished
  /** The day of the list of an agent; `null`: there is none. */
  readonly listOf: (agent: string) => string | null
}

const familyOf = (address: string): "ipv4" | "ipv6" => (address.includes(":") ? "ipv6" : "ipv4")

/** The addresses of ranges such as `192.0.2.0/24`; `null` if one of them is none. */
export const rangesOf = (ranges: Iterable<string>): BlockList | null => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", mask] = range.split("/")
    const bits = mask === undefined ? 28 : Number(mask)
    const isRange =
      isIP(address) !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= (isIP(address) === 4 ? 32 : 128)
    if (!isRange) return null
    list.addSubnet(address, bits, familyOf(address))
  }
  return list
}

/** Addresses that say nothing of who asked: of this machine and of private networks. */
const INNER = rangesOf([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10"
])

/** An address as it is compared; `null` for one that says nothing: none, an inner one, or one whose end was cut off. */
const comparable = (address: string): string | null => {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "")
  if (isIP(bare) === 0 || /\.0$|::$/.test(bare)) return null
  return INNER?.check(bare, familyOf(bare)) === true ? null : bare
}

/** Answers that are kept for each agent. */
const MOST_KEPT = 10_000

export const verification = (lists: ReadonlyArray<PublishedList> = PUBLISHED_LISTS): Verification => {
  const byAgent = new Map(
    lists.flatMap(({ agents, date, ranges }) => {
      const published = rangesOf(ranges.split(" "))
      const known = new Map<string, boolean | null>()
      return published === null ? [] : agents.map((agent) => [agent, { date, known, published }] as const)
    })
  )
  return {
    listOf: (agent) => byAgent.get(agent)?.date ?? null,
    isPublished: (agent, address) => {
      const list = byAgent.get(agent)
      if (list === undefined) return null
      const seen = list.known.get(address)
      if (seen !== undefined) return seen
      const bare = comparable(address)
      const isPublished = bare === null ? null : list.published.check(bare, familyOf(bare))
      if (list.known.size >= MOST_KEPT) list.known.clear()
      list.known.set(Buffer.from(address).toString(), isPublished)
      return isPublished
    }
  }
}
