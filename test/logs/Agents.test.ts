import { describe, expect, it } from "vitest"
import { NAMED_AGENTS } from "../../engine/audit/agents/NamedAgents.ts"
import { COUNTED_AGENTS, makeAgentReader } from "../../engine/logs/agents/LogAgents.ts"
import { AI_AGENTS } from "../../engine/site/wellknown/Robots.ts"
import { randomFrom, USER_AGENTS } from "./MadeLog.ts"

const GROUPS: Readonly<Record<string, string>> = { crawlers: "other crawlers" }

describe("the reader of agents", () => {
  it.each(USER_AGENTS)("knows %s by: %s", (agent, userAgent) => {
    expect(makeAgentReader()(userAgent, null, false).name).toBe(GROUPS[agent] ?? agent)
  })

  it("has every agent of the list of A3, of the kind that A3 says but for those that write code", () => {
    const kinds = new Map(COUNTED_AGENTS.map(({ kind, name }) => [name, kind]))
    expect(AI_AGENTS.filter(({ kind, token }) => kinds.get(token) !== kind && kinds.get(token) !== "coding")).toEqual(
      []
    )
    expect(new Set(COUNTED_AGENTS.map(({ name }) => name)).size).toBe(COUNTED_AGENTS.length)
    // PathTable keeps who asked for a path in eight words of 32 bits.
    expect(COUNTED_AGENTS.length).toBeLessThanOrEqual(256)
  })

  it("finds at least 99 of 100 agents in user agents that are changed around their names", () => {
    const random = randomFrom(39)
    const named = AI_AGENTS.filter(({ token }) => token.length > 4)
    const agentOf = makeAgentReader()
    const wrong: Array<string> = []
    for (let round = 0; round < 5_000; round++) {
      const token = named[Math.floor(random() * named.length)]?.token ?? ""
      const spelt = random() < 0.2 ? token.toLowerCase() : token
      const version = random() < 0.7 ? `/${Math.floor(random() * 9)}.${Math.floor(random() * 9)}` : ""
      const before = [
        "",
        "Mozilla/5.0 (compatible; ",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; "
      ][Math.floor(random() * 3)]
      const behind = ["", ")", "; +https://example.com/bot)", " Chrome/142.0.0.0 Safari/537.36"][
        Math.floor(random() * 4)
      ]
      const userAgent = `${before}${spelt}${version}${behind}`
      const { name } = agentOf(userAgent, null, false)
      if (name.toLowerCase() !== token.toLowerCase()) wrong.push(`${userAgent}: ${name}`)
    }
    expect(wrong.length / 5_000).toBeLessThanOrEqual(0.01)
  })

  it("takes no word for an agent that only has its name inside", () => {
    const agentOf = makeAgentReader()
    expect(
      ["Precursor/1.0", "GPTBotanist/2.0", "Mozilla/5.0 (X11) MyCursorTheme/1.0", "devin-smith-tool/1"].map(
        (userAgent) => agentOf(userAgent, null, false).name
      )
    ).toEqual(["other scripts", "other scripts", "browsers", "other scripts"])
  })

  it("knows coding agents that ask with the name of a browser or client by their Accept", () => {
    const agentOf = makeAgentReader()
    const asked = NAMED_AGENTS.filter(({ accept }) => accept !== null).map(
      ({ accept, id, userAgent }) => [id, agentOf(userAgent, accept, false).name] as const
    )
    expect(asked).toEqual([
      ["claude-code", "Claude-Code"],
      ["cursor", "Cursor"],
      ["opencode", "opencode"]
    ])
    expect(agentOf("axios/1.8.4", "text/markdown, text/html, */*", false).name).toBe("Claude-Code")
  })

  it("tells a browser that gets or wants Markdown from one that does not", () => {
    const agentOf = makeAgentReader()
    const [, browser] = USER_AGENTS.find(([agent]) => agent === "browsers") ?? ["", ""]
    expect(agentOf(browser, "text/html,*/*", false).name).toBe("browsers")
    expect(agentOf(browser, "text/markdown;q=0.9, */*", false)).toEqual({
      name: "browser that asks for Markdown",
      kind: "script"
    })
    expect(agentOf(browser, null, true).kind).toBe("script")
  })
})
