import { serveSmallSites, type SmallSitesOptions } from "../../harness/SmallSites.ts"

/** A request as the site saw it. */
interface SiteRequest {
  readonly at: number
  readonly path: string
  /** Which process sent it. */
  readonly door: number
  readonly connection: string
}

/** Small sites that note down who asks them: each process is given ports of its own to find them at. */
export interface WatchedSites {
  /** What the next process must be told to audit them. */
  readonly env: () => Readonly<Record<string, string>>
  /** Requests to a host, in the order in which they came. */
  readonly requestsTo: (host: string) => ReadonlyArray<SiteRequest>
  readonly hosts: () => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** By the time that a door is given out again, the process that had it before is long gone. */
const DOORS = 64

export const serveWatchedSites = async (options: SmallSitesOptions): Promise<WatchedSites> => {
  const seen = new Map<string, Array<SiteRequest>>()
  const doors = await Promise.all(
    Array.from({ length: DOORS }, (_, door) =>
      serveSmallSites({
        ...options,
        seen: ({ headers, socket, url }) => {
          const host = headers.host ?? ""
          const requests = seen.get(host) ?? []
          seen.set(host, requests)
          requests.push({ at: performance.now(), path: url ?? "", door, connection: `${door}:${socket.remotePort}` })
        }
      })
    )
  )
  let given = 0
  return {
    env: () => doors[given++ % DOORS]?.env ?? {},
    requestsTo: (host) => seen.get(host) ?? [],
    hosts: () => [...seen.keys()],
    close: async () => {
      for (const { close } of doors) await close()
    }
  }
}

/** What every audit asks for first, and no audit again. */
const FIRST = "/robots.txt"

/**
 * Requests that belong to an audit while another one of the same site has begun: sent by another process than the one before, or in a
 * connection from before the last beginning.
 */
export const overlapsOf = (requests: ReadonlyArray<SiteRequest>): ReadonlyArray<string> => {
  const earlier = new Set<string>()
  const current = new Set<string>()
  return requests.flatMap(({ at, connection, door, path }, index) => {
    if (path === FIRST) {
      for (const one of current) earlier.add(one)
      current.clear()
    }
    current.add(connection)
    const before = requests[index - 1]
    const isOverlap = path !== FIRST && (earlier.has(connection) || (before !== undefined && before.door !== door))
    return isOverlap
      ? [
          `${path} by process ${door} at ${Math.round(at)}, after ${before?.path} by process ${before?.door} at ${Math.round(before?.at ?? 0)}`
        ]
      : []
  })
}
