import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { allows, matches, names, parseRobots } from "../../../engine/site/wellknown/RobotsFile.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const at = (path: string) => `https://docs.example.com${path}`

describe("groups (RFC 9309 §2.1, §2.2.1)", () => {
  const file = parseRobots(
    [
      "User-agent: GPTBot",
      "User-agent: claudebot/1.0",
      "Disallow: /private",
      "",
      "Sitemap: https://docs.example.com/sitemap.xml",
      "User-agent: *",
      "Disallow: /",
      "Allow: /docs",
      "User-agent: GPTBOT # again",
      "Disallow: /more"
    ].join("\r\n")
  )

  it("joins consecutive names, and groups of one name", () => {
    expect(file.groups.map(({ agents }) => agents)).toEqual([["gptbot", "claudebot"], ["*"], ["gptbot"]])
    expect([
      allows(file, "GPTBot", at("/private/x")),
      allows(file, "GPTBot", at("/more")),
      allows(file, "GPTBot", at("/"))
    ]).toEqual([false, false, true])
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

  it("takes a name that begins with a star for a name, unless nothing or a blank follows the star", () => {
    const file = parseRobots("User-agent: *MJ12bot*\nDisallow: /\nUser-agent: * # all others\nDisallow: /private")
    expect(allows(file, "docgauge", at("/"))).toBe(true)
    expect(allows(file, "docgauge", at("/private"))).toBe(false)
    expect(allows(parseRobots("User-agent: * baz\nDisallow: /"), "docgauge", at("/"))).toBe(false)
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
    ["Disallow: /FISH", "/fish", true],
    ["Disallow: /%7Edocs/", "/~docs/", false],
    ["Disallow: /~docs/", "/%7edocs/", false],
    ["Disallow: /a%2Fb", "/a/b", true],
    ["Disallow: /a-%2A.html", "/a-*.html", false],
    ["Disallow: /a-%2A.html", "/a-b.html", true],
    ["Disallow: /a%24", "/a$b", false],
    ["Disallow: /a$b", "/a$b", false],
    ["Disallow: /x?u=https://foo.bar", "/x?u=https%3A%2F%2Ffoo.bar", false],
    ["Disallow: /x?u=https%3A%2F%2Ffoo.bar", "/x?u=https://foo.bar", false],
    ["Disallow: /*https://", "/x?u=https://foo.bar", false]
  ])("%j for %s: %s", (rules, path, allowed) => {
    expect(allows(parseRobots(`User-agent: *\n${rules}`), "docgauge", at(path))).toBe(allowed)
  })

  it("matches as the regular expression does, without its price", () => {
    const piece = fc.array(fc.constantFrom("a", "b", "/", "*"), { maxLength: 8 }).map((parts) => parts.join(""))
    const text = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 12 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(piece, fc.boolean(), text, (pattern, anchored, target) => {
        const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}${anchored ? "$" : ""}`).test(target)
        expect(matches(pattern + (anchored ? "$" : ""), target)).toBe(expected)
      })
    )
    const started = cpuMs()
    expect(matches(`${"*a".repeat(2_000)}$`, "a".repeat(1_999) + "b".repeat(2_000))).toBe(false)
    expect(cpuMs() - started).toBeLessThan(1_000)
  })
})

describe("the examples of RFC 9309 (§5)", () => {
  it("are read as the RFC says, with names that share a group and a name without rules", () => {
    const file = parseRobots(
      [
        "User-Agent: *",
        "Disallow: *.gif$",
        "Disallow: /example/",
        "Allow: /publications/",
        "",
        "User-Agent: foobot",
        "Disallow:/",
        "Allow:/example/page.html",
        "Allow:/example/allowed.gif",
        "",
        "User-Agent: barbot",
        "User-Agent: bazbot",
        "Disallow: /example/page.html",
        "",
        "User-Agent: quxbot"
      ].join("\n")
    )
    const open = (agent: string, path: string): boolean => allows(file, agent, at(path))
    expect([
      open("other", "/a.gif"),
      open("other", "/a.gif?x"),
      open("other", "/example/"),
      open("other", "/")
    ]).toEqual([false, true, false, true])
    expect([
      open("foobot", "/example/page.html"),
      open("foobot", "/example/allowed.gif"),
      open("foobot", "/x")
    ]).toEqual([true, true, false])
    expect([
      open("barbot", "/example/page.html"),
      open("bazbot", "/example/page.html"),
      open("bazbot", "/a.gif")
    ]).toEqual([false, false, true])
    expect(open("quxbot", "/example/page.html")).toBe(true)
  })

  it("give the longest match the last word", () => {
    const file = parseRobots("User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif")
    expect(allows(file, "foobot", at("/example/page/"))).toBe(true)
    expect(allows(file, "foobot", at("/example/page/disallowed.gif"))).toBe(false)
  })
})

describe("dirt", () => {
  it("skips what means nothing, and reads on", () => {
    const file = parseRobots(
      "\uFEFFDisallow: /orphan\nhello\n: x\nUser-agent: *\rCrawl-delay: 5\nFoo: bar\n# only a comment\nDissalow: /x\nSitemap: /map.xml\nSitemap: /map.xml"
    )
    expect(file.sitemaps).toEqual(["/map.xml"])
    expect(file.groups).toMatchObject([{ agents: ["*"], rules: [{ path: "/x" }] }])
    expect(allows(file, "docgauge", at("/x"))).toBe(false)
  })

  it("keeps Content-Signal lines with their group, and one before any group for everyone", () => {
    const file = parseRobots("Content-Signal: ai-train=no\nUser-agent: GPTBot\nContent-Signal: search=yes\nDisallow: /")
    expect(file.groups.map(({ agents, signals }) => [agents, signals])).toEqual([
      [["*"], ["ai-train=no"]],
      [["gptbot"], ["search=yes"]]
    ])
  })

  it("does not end a list of names at a Content-Signal line, which RFC 9309 leaves to extensions", () => {
    const file = parseRobots("User-agent: a\nContent-Signal: search=yes\nUser-agent: b\nDisallow: /")
    expect(file.groups.map(({ agents, signals }) => [agents, signals])).toEqual([[["a", "b"], ["search=yes"]]])
    expect(allows(file, "a", at("/"))).toBe(false)
  })

  it("leaves rules after a Content-Signal line before any group without a group", () => {
    const file = parseRobots("Content-Signal: ai-train=no\nDisallow: /\nUser-agent: b\nAllow: /b")
    expect(file.groups.map(({ rules }) => rules)).toEqual([[], [{ kind: "allow", path: "/b" }]])
    expect(allows(file, "docgauge", at("/"))).toBe(true)
  })

  it("skips a byte order mark at the beginning of the file only", () => {
    const file = parseRobots("\uFEFFUser-agent: a\nDisallow: /\n\uFEFFUser-agent: b\nDisallow:\u00a0/x\t ")
    expect(file).toMatchObject({ groups: [{ agents: ["a"], rules: [{ path: "/" }, { path: "\u00a0/x" }] }] })
  })

  it("trims long runs of blanks in linear time", () => {
    const started = cpuMs()
    parseRobots(`User-agent: *\nDisallow: /${" ".repeat(400_000)}x`)
    expect(cpuMs() - started).toBeLessThan(1_000)
  })

  it("reads 500 KiB and no more", () => {
    const file = parseRobots(`User-agent: *\n${"#".repeat(500 * 1024)}\nDisallow: /`)
    expect(allows(file, "docgauge", at("/"))).toBe(true)
  })

  it("reads anything, the same way each time, and allows what nothing forbids", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom("User-agent: *", "Disallow: /a*b$", "Allow: %", "Sitemap:", "User-agent: ", "disallow:\t/\u0000")
    )
    fc.assert(
      fc.property(fc.array(line), fc.webPath(), (lines, path) => {
        const file = parseRobots(lines.join("\n"))
        expect(parseRobots(lines.join("\n"))).toEqual(file)
        const closed = file.groups.some(({ rules }) => rules.some(({ kind }) => kind === "disallow"))
        expect(closed || allows(file, "docgauge", at(path))).toBe(true)
      })
    )
  })
})
