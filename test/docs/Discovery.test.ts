import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CONTENTS } from "../../server/pages/docs/Contents.ts"
import { startService, type TestService } from "../server/TestService.ts"

const BASE = "http://localhost:8080"
const slugs = CONTENTS.flatMap((section) => section.slugs)

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const text = async (path: string): Promise<string> => (await service.ask(path)).text()
const pathIn = (address: string): string => address.slice(BASE.length)

describe("llms.txt", () => {
  it("lists all pages with what each is about, at the root and below the documentation", async () => {
    const file = await text("/llms.txt")
    const listed = [...file.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S.+$/gm)].map(([, address = ""]) => address)
    expect(listed).toEqual(expect.arrayContaining(slugs.map((slug) => `${BASE}/docs/v1/${slug}.md`)))
    expect(await text("/docs/llms.txt")).toBe(file)
    expect(file.length).toBeLessThan(50_000)
  })

  it("lists nothing that is not there", async () => {
    const listed = [...(await text("/llms.txt")).matchAll(/\]\(([^)]+)\)/g)].map(([, address = ""]) => address)
    const statuses = await Promise.all(
      listed.map(async (address) => [address, (await service.ask(pathIn(address), { redirect: "follow" })).status])
    )
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  })

  it("has a full form, with the text of each page under its address", async () => {
    const full = await text("/llms-full.txt")
    for (const slug of slugs)
      expect(full, slug).toContain((await text(`/docs/v1/${slug}.md`)).replace(/^---\n[\s\S]*?\n---\n/, "").trim())
  })
})

describe("the Markdown of the home page and of /bot", () => {
  it.each(["/index.md", "/bot.md"])("%s links to nothing of this service that is not there", async (path) => {
    const linked = [...(await text(path)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, address = ""]) => address)
      .filter((address) => address.startsWith(`${BASE}/`))
    expect(linked).not.toEqual([])
    const statuses = await Promise.all(
      linked.map(async (address) => [address, (await service.ask(pathIn(address), { redirect: "follow" })).status])
    )
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  })
})

describe("sitemap.xml", () => {
  it("holds all pages with the day on which they changed, and only what is there", async () => {
    const entries = [
      ...(await text("/sitemap.xml")).matchAll(
        /<url><loc>([^<]+)<\/loc>(?:<lastmod>(\d{4}-\d{2}-\d{2})<\/lastmod>)?<\/url>/g
      )
    ]
    const byUrl = new Map(entries.map(([, url = "", day]) => [url, day]))
    for (const slug of slugs)
      expect(byUrl.get(slug === "index" ? `${BASE}/docs/v1` : `${BASE}/docs/v1/${slug}`), slug).toMatch(/^2\d{3}-/)
    const statuses = await Promise.all(
      [...byUrl.keys()].map(async (url) => [url, (await service.ask(pathIn(url))).status])
    )
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  })
})

describe("robots.txt", () => {
  it("is open but for plans, which crawlers must not have made; assistants may read those for their users", async () => {
    const answer = await service.ask("/robots.txt")
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8")
    const file = await answer.text()
    expect(file).toContain(`Sitemap: ${BASE}/sitemap.xml`)
    expect(file).toContain("Content-Signal: ")
    const groups = file.split("\n\n").filter((group) => group.includes("User-agent: "))
    const closed = groups.map((group) => [...group.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path))
    expect(closed).toEqual([
      ["/oauth/", "/r/*/fix", "/r/*/prompt.txt"],
      ["/oauth/", "/r/*/fix", "/r/*/prompt.txt"],
      ["/oauth/"]
    ])
    expect(groups[2]).toContain("User-agent: Claude-User\n")
  })
})

describe("well-known documents", () => {
  it("are a catalog of our APIs, as a linkset", async () => {
    const answer = await service.ask("/.well-known/api-catalog")
    expect(answer.headers.get("content-type")).toContain("application/linkset+json")
    const {
      linkset
    }: { readonly linkset: ReadonlyArray<Record<string, ReadonlyArray<{ readonly href: string }> | string>> } =
      JSON.parse(await answer.text())
    const targets = linkset.flatMap((context) =>
      Object.values(context).flatMap((links) => (typeof links === "string" ? [] : links.map(({ href }) => href)))
    )
    expect(targets.length).toBeGreaterThan(3)
    const statuses = await Promise.all(
      targets.map(async (href) => [href, (await service.ask(pathIn(href), { redirect: "follow" })).status])
    )
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  })

  it("list a skill that is there, under the same name and description", async () => {
    const {
      skills
    }: {
      readonly skills: ReadonlyArray<{ readonly name: string; readonly description: string; readonly url: string }>
    } = JSON.parse(await text("/.well-known/agent-skills/index.json"))
    for (const { description, name, url } of skills)
      expect(await text(pathIn(url))).toContain(`name: ${name}\ndescription: ${description}\n`)
    expect(skills.length).toBe(1)
  })

  it("are the keys of signed reports, as a set that anyone may keep and that holds no secret", async () => {
    const answer = await service.ask("/.well-known/docgauge-keys.json")
    expect(answer.headers.get("content-type")).toBe("application/jwk-set+json")
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600")
    expect(JSON.parse(await answer.text())).toEqual({
      keys: [
        {
          kty: "OKP",
          crv: "Ed25519",
          x: expect.stringMatching(/^[-\w]{43}$/),
          use: "sig",
          alg: "EdDSA",
          kid: expect.stringMatching(/^[-\w]{43}$/)
        }
      ]
    })
    const again = { headers: { "if-none-match": answer.headers.get("etag") ?? "" } }
    expect((await service.ask("/.well-known/docgauge-keys.json", again)).status).toBe(304)
  })

  it("include instructions for agents, and the start page as Markdown", async () => {
    for (const path of ["/AGENTS.md", "/index.md", "/bot.md"]) {
      const answer = await service.ask(path)
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/markdown; charset=utf-8"
      ])
      expect(await answer.text(), path).not.toMatch(/\{\w+_\w+\}/)
    }
  })
})
