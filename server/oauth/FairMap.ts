/** Maximum numbers of entries. */
export interface FairBounds {
  readonly all: number
  /** Of one group. */
  readonly perGroup: number
}

interface FairEntry<A> {
  readonly key: string
  readonly value: A
}

/**
 * A bounded LRU map whose entries belong to groups (client networks). When it is full, it evicts the least recently used entry
 * of the largest group, so that one network cannot evict the entries of others.
 */
interface FairMap<A> {
  /** Counts as a use. */
  readonly get: (key: string) => A | undefined
  /** An entry stays in its first group. Returns the evicted entries. */
  readonly put: (key: string, group: string, value: A) => ReadonlyArray<FairEntry<A>>
  readonly delete: (key: string) => void
  /** All entries; those of one group least recently used first. */
  readonly entries: () => ReadonlyArray<FairEntry<A>>
  readonly size: () => number
}

export const makeFairMap = <A>({ all, perGroup }: FairBounds): FairMap<A> => {
  const groupOf = new Map<string, string>()
  // A Map keeps the order of insertion, and an entry is inserted again when it is used: the first is the least recently used.
  const groups = new Map<string, Map<string, A>>()

  const remove = (key: string): A | undefined => {
    const group = groupOf.get(key)
    const members = group === undefined ? undefined : groups.get(group)
    if (group === undefined || members === undefined) return undefined
    const value = members.get(key)
    groupOf.delete(key)
    members.delete(key)
    if (members.size === 0) groups.delete(group)
    return value
  }

  const insert = (key: string, group: string, value: A): Map<string, A> => {
    const members = groups.get(group) ?? new Map<string, A>()
    members.delete(key)
    members.set(key, value)
    groups.set(group, members)
    groupOf.set(key, group)
    return members
  }

  const largest = (): Map<string, A> | undefined => {
    let found: Map<string, A> | undefined
    for (const members of groups.values()) if (members.size > (found?.size ?? 0)) found = members
    return found
  }

  const evictFrom = (members: Map<string, A> | undefined): ReadonlyArray<FairEntry<A>> => {
    const [oldest] = members ?? []
    if (oldest === undefined) return []
    remove(oldest[0])
    return [{ key: oldest[0], value: oldest[1] }]
  }

  return {
    get: (key) => {
      const group = groupOf.get(key)
      const value = group === undefined ? undefined : groups.get(group)?.get(key)
      if (group !== undefined && value !== undefined) insert(key, group, value)
      return value
    },
    put: (key, group, value) => {
      const members = insert(key, groupOf.get(key) ?? group, value)
      if (members.size > perGroup) return evictFrom(members)
      return groupOf.size > all ? evictFrom(largest()) : []
    },
    delete: (key) => {
      remove(key)
    },
    entries: () => [...groups.values()].flatMap((members) => [...members].map(([key, value]) => ({ key, value }))),
    size: () => groupOf.size
  }
}

/**
 * The most entries that each group may keep, so that all groups together keep `all` at most and only the largest lose any;
 * at least 1.
 */
export const fairShare = (sizes: ReadonlyArray<number>, { all, perGroup }: FairBounds): number => {
  let left = all
  const ascending = sizes.toSorted((one, other) => one - other)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return Math.max(1, Math.min(share, perGroup))
    left -= size
  }
  return perGroup
}
