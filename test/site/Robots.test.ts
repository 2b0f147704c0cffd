import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { gatherRobots } from "../../engine/site/Robots.ts"
import { allows, matches, names, parseRobots } from "../../engine/site/RobotsFile.ts"
import { fakeGathering, ORIGIN, type Reply } from "./FakeGathering.ts"

const at = (path: string) => `${ORIGIN}${path}`

describe("groups (RFC 9309 §2.1, §2.2.1)", () => {
  const file = parseRobots([
    "User-agent: GPTBot", "User-agent: claudebot/1.0", "Disallow: /private", "",
    "Sitemap: https://docs.example.com/sitemap.xml", "User-agent: *", "Disallow: /", "Allow: /docs",
    "User-agent: GPTBOT # again", "Disallow: /more"
  ].join("\r\n"))

  it("joins consecutive names, and groups of one name", () => {
    expect(file.groups.map(({ agents }) => agents)).toEqual([["gptbot", "claudebot"], ["*"], ["gptbot"]])
    expect([allows(file, "GPTBot", at("/private/x")), allows(file, "GPTBot", at("/more")), allows(file, "GPTBot", at("/"))]).toEqual([false, false, true])
    expect(allows(file, "ClaudeBot", at("/more"))).toBe(true)
  })

  it("gives everyone else the group of the star", () => {
    expect(allows(file, "docgauge", at("/"))).toBe(false)
    expect(allows(file, "docgauge", at("/docs/intro"))).toBe(true)
    expect(names(file, "docgauge")).toBe(false)
  })

  it("knows a name by its product token only", () => {
    const claude = parseRobots("User-agent: Claude\nDisallow: /")
    expect(allows(claude, "Claude-User", at("/"))).toBe(true)
  })

  it("lets everyone read robots.txt, and everything where there are no rules", () => {
    expect(allows(file, "docgauge", at("/robots.txt"))).toBe(true)
    expect(allows(parseRobots(""), "docgauge", at("/"))).toBe(true)
    expect(allows(parseRobots("User-agent: *\nDisallow:"), "docgauge", at("/"))).toBe(true)
  })
})

describe("rules (RFC 9309 §2.2.2)", () => {
  it.each([
    ["Disallow: /\nAllow: /p", "/page", true],
    ["Allow: /folder\nDisallow: /folder", "/folder/page", true],
    ["Allow: /page\nDisallow: /*.htm", "/page.htm", false],
    ["Allow: /$\nDisallow: /", "/", true],
    ["Allow: /$\nDisallow: /", "/page.htm", false],
    ["Disallow: /fish*", "/fishheads/yummy.html", false],
    ["Disallow: /*.php$", "/folder/any.php?x=1", true],
    ["Disallow: /*.php$", "/index.php", false],
    ["Disallow: /*?", "/page?x=1", false],
    ["Disallow: /Caf%c3%a9", "/Caf%C3%A9/menu", false],
    ["Disallow: /Café", "/Caf%C3%A9/menu", false],
    ["Disallow: /FISH", "/fish", true]
  ])("%j for %s: %s", (rules, path, allowed) => {
    expect(allows(parseRobots(`User-agent: *\n${rules}`), "docgauge", at(path))).toBe(allowed)
  })

  it("matches as the regular expression does, without its price", () => {
    const piece = fc.array(fc.constantFrom("a", "b", "/", "*"), { maxLength: 8 }).map((parts) => parts.join(""))
    const text = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 12 }).map((parts) => parts.join(""))
    fc.assert(fc.property(piece, fc.boolean(), text, (pattern, anchored, target) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}${anchored ? "$" : ""}`).test(target)
      expect(matches(pattern + (anchored ? "$" : ""), target)).toBe(expected)
    }))
    const started = performance.now()
    expect(matches(`${"*a".repeat(2_000)}$`, "a".repeat(1_999) + "b".repeat(2_000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(200)
  })
})

describe("dirt", () => {
  it("counts what means nothing, and reads on", () => {
    const file = parseRobots("\uFEFFDisallow: /orphan\nhello\n: x\nUser-agent: *\rCrawl-delay: 5\nFoo: bar\n# only a comment\nDissalow: /x\nSitemap: /map.xml\nSitemap: /map.xml")
    expect(file).toMatchObject({ malformed: 3, unknown: 1, recognised: 5, sitemaps: ["/map.xml"] })
    expect(allows(file, "docgauge", at("/x"))).toBe(false)
  })

  it("keeps Content-Signal lines with their group, and one before any group for everyone", () => {
    const file = parseRobots("Content-Signal: ai-train=no\nUser-agent: GPTBot\nContent-Signal: search=yes\nDisallow: /")
    expect(file.groups.map(({ agents, signals }) => [agents, signals])).toEqual([[["*"], ["ai-train=no"]], [["gptbot"], ["search=yes"]]])
  })

  it("reads 500 KiB and no more", () => {
    const file = parseRobots(`User-agent: *\n${"#".repeat(500 * 1024)}\nDisallow: /`)
    expect(file.cut).toBe(true)
    expect(allows(file, "docgauge", at("/"))).toBe(true)
  })

  it("reads anything, the same way each time, and allows what nothing forbids", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom("User-agent: *", "Disallow: /a*b$", "Allow: %", "Sitemap:", "User-agent: ", "disallow:\t/\u0000"))
    fc.assert(fc.property(fc.array(line), fc.webPath(), (lines, path) => {
      const file = parseRobots(lines.join("\n"))
      expect(parseRobots(lines.join("\n"))).toEqual(file)
      const closed = file.groups.some(({ rules }) => rules.some(({ kind }) => kind === "disallow"))
      expect(closed || allows(file, "docgauge", at(path))).toBe(true)
    }))
  })
})

describe("what came of asking", () => {
  const robots = (reply: Reply, headers: ReadonlyArray<readonly [string, string]> = []) =>
    gatherRobots(fakeGathering({ "/robots.txt": reply }, { baseHeaders: headers }).gathering)

  it.effect.each([
    ["read", "User-agent: *"],
    ["read", ""],
    ["html", "<!doctype html><title>Docs</title>"],
    ["missing", 404],
    ["missing", "404. Page not found"],
    ["unobtainable", 503],
    ["unobtainable", 403],
    ["unobtainable", null]
  ] as const)("%s for %j", ([state, reply]) => Effect.gen(function*() {
    expect((yield* robots(reply)).state).toBe(state)
  }))

  it.effect("names AI agents, signals and who is shut out", () => Effect.gen(function*() {
    const read = yield* robots("User-agent: gptbot\nUser-agent: Perplexity-User\nUser-agent: EvilBot\nDisallow:\nContent-Signal: ai-train=no\n\nUser-agent: docgauge\nDisallow: /", [["content-signal", "search=yes"]])
    expect(read.namedAgents.map(({ token, kind }) => [token, kind])).toEqual([["GPTBot", "training"], ["Perplexity-User", "user"]])
    expect(read).toMatchObject({ signals: ["ai-train=no"], signalHeader: "search=yes", shutsOutDocgauge: true })
  }))

  it.effect("does not take the rules for everyone for a refusal by name", () => Effect.gen(function*() {
    expect((yield* robots("User-agent: *\nDisallow: /")).shutsOutDocgauge).toBe(false)
  }))
})
