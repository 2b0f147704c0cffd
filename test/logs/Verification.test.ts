import { BlockList, isIP } from "node:net"
import { describe, expect, it } from "vitest"
import { PUBLISHED_LISTS, rangesOf, verification } from "../../engine/logs/agents/PublishedLists.ts"
import { AI_AGENTS } from "../../engine/site/wellknown/Robots.ts"

const list = {
  agents: ["GPTBot"],
  source: "test",
  date: "2026-11-01",
  ranges: "192.0.2.16 198.51.100.0/24 2001:db8::/32"
}

describe("the verification of agents", () => {
  it("tells addresses that the operator publishes from others, of both families", () => {
    const { isPublished, listOf } = verification([list])
    const verdicts = [
      "192.0.2.17",
      "192.0.2.31",
      "192.0.2.32",
      "198.51.100.9",
      "2001:db8::9",
      "2001:db9::9",
      "::ffff:192.0.2.17"
    ]
    expect(verdicts.map((address) => isPublished("GPTBot", address))).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
      true
    ])
    expect([listOf("GPTBot"), listOf("Bytespider")]).toEqual(["2026-11-01", null])
  })

  it("says nothing of an agent without a list, nor of an address that is none, inner or cut short", () => {
    const { isPublished } = verification([list])
    expect(isPublished("Bytespider", "192.0.2.17")).toBeNull()
    for (const address of [
      "",
      "-",
      "client-7",
      "10.1.2.3",
      "127.0.0.1",
      "::1",
      "fd00::7",
      "203.0.113.0",
      "2001:db8:1::"
    ])
      expect(isPublished("GPTBot", address)).toBeNull()
  })

  it("has lists of agents that A3 knows, each with its day and nothing but ranges", () => {
    const known = AI_AGENTS.map(({ token }) => token)
    for (const { agents, date, ranges, source } of PUBLISHED_LISTS) {
      expect(known).toEqual(expect.arrayContaining([...agents]))
      expect([date, source]).toEqual([expect.stringMatching(/^202[5-9]-\d\d-\d\d$/), expect.stringMatching(/^https:/)])
      expect(rangesOf(ranges.split(" "))).toBeInstanceOf(BlockList)
    }
    expect(new Set(PUBLISHED_LISTS.flatMap(({ agents }) => agents)).size).toBe(
      PUBLISHED_LISTS.flatMap(({ agents }) => agents).length
    )
  })

  it("knows the first address of every range of our lists as its agent's", () => {
    const { isPublished } = verification()
    for (const { agents, ranges } of PUBLISHED_LISTS)
      for (const agent of agents)
        for (const range of ranges.split(" ")) {
          const [first = ""] = range.split("/")
          const usable = isIP(first) === 6 ? `${first}1` : first.replace(/\.0$/, ".1")
          expect([agent, range, isPublished(agent, usable)]).toEqual([agent, range, true])
        }
  })

  it("refuses what is no range", () => {
    for (const range of ["", "192.0.2.1/33", "2001:db8::/129", "nonsense/8", "192.0.2.1/x"])
      expect(rangesOf([range])).toBeNull()
  })
})
