import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fairShare, makeFairMap } from "../../../server/oauth/FairMap.ts"

const bounds = { all: 6, perGroup: 4 }

describe("a fair map", () => {
  it("evicts the least recently used entry of the largest group, however many it adds", () => {
    const map = makeFairMap<number>(bounds)
    for (const key of ["a", "b", "c"]) map.put(key, "honest", 0)
    map.get("a")
    const evicted = Array.from({ length: 100 }, (_, index) => map.put(`flood${index}`, "flood", index)).flat()
    expect(evicted.every(({ key }) => key.startsWith("flood"))).toBe(true)
    expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([0, 0, 0])
    expect(map.size()).toBe(6)
  })

  it("limits each group, and keeps the most recently used entries", () => {
    const map = makeFairMap<number>(bounds)
    for (const key of ["a", "b", "c", "d"]) map.put(key, "one", 0)
    map.get("a")
    expect(map.put("e", "one", 0)).toEqual([{ key: "b", value: 0 }])
    expect(map.entries().map(({ key }) => key)).toEqual(["c", "d", "a", "e"])
  })

  it("never exceeds its bounds, and loses no entry of a group that is smaller than the largest", () => {
    const step = fc.record({
      key: fc.integer({ min: 0, max: 30 }),
      group: fc.integer({ min: 0, max: 4 }),
      drop: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const map = makeFairMap<number>(bounds)
        const sizes = new Map<number, number>()
        const groupOf = (key: string): number => Number(key.split(" ")[1])
        const count = (group: number, by: number) => sizes.set(group, (sizes.get(group) ?? 0) + by)
        for (const { drop, group, key } of steps) {
          const name = `${key} ${group}`
          const known = map.get(name) !== undefined
          if (drop) {
            map.delete(name)
            if (known) count(group, -1)
            continue
          }
          if (!known) count(group, 1)
          for (const evicted of map.put(name, `${group}`, key)) {
            expect(sizes.get(groupOf(evicted.key))).toBe(Math.max(...sizes.values()))
            count(groupOf(evicted.key), -1)
          }
          expect(map.size()).toBeLessThanOrEqual(bounds.all)
          expect(Math.max(...sizes.values())).toBeLessThanOrEqual(bounds.perGroup)
        }
      })
    )
  })
})

describe("fair shares", () => {
  it("keep all groups within the total, and take only from the largest and no more than necessary", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 20, max: 200 }), (given, all) => {
        const share = fairShare(given, { all, perGroup: 40 })
        const kept = (most: number) => given.reduce((sum, size) => sum + Math.min(size, most), 0)
        expect(kept(share)).toBeLessThanOrEqual(all)
        if (share < 40 && Math.max(...given) > share) expect(kept(share + 1)).toBeGreaterThan(all)
      })
    )
  })

  it("leave each group at least one entry", () => {
    expect(fairShare([1, 1, 1, 1], { all: 2, perGroup: 10 })).toBe(1)
  })
})
