import { load } from "cheerio"
import { readdirSync } from "node:fs"
import { resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { parity } from "../../engine/page/markdown/TextParity.ts"
import { contractDocument } from "../../server/api/Contract.ts"
import { CONTENTS } from "../../server/pages/docs/Contents.ts"
import { operationSlug } from "../../server/pages/docs/DocText.ts"
import { operationsOf } from "../../server/pages/docs/SchemaText.ts"
import { htmlFaults } from "../server/pages/htmlCheck.ts"
import { startService, type TestService } from "../server/TestService.ts"

const slugs = CONTENTS.flatMap((section) => section.slugs)

const pathOf = (slug: string): string => (slug === "index" ? "/docs/v1" : `/docs/v1/${slug}`)

let service: TestService
const pages = new Map<string, string>()

beforeAll(async () => {
  service = await startService()
  for (const path of [...slugs.map(pathOf), "/bot"]) pages.set(path, await (await service.ask(path)).text())
})
afterAll(() => service.stop())

const page = (path: string) => load(pages.get(path) ?? "")

describe("the developer reference", () => {
  it("has each file in its contents, and each page of the contents in a file", () => {
    const folder = resolve(import.meta.dirname, "../../server/docs/v1")
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => file.replace(/\.md$/, ""))
    expect(files.sort()).toEqual([...slugs].sort())
  })

  it("begins at {docs_url}, by one redirect", async () => {
    const answer = await service.ask("/docs")
    expect([answer.status, answer.headers.get("location")]).toEqual([307, "/docs/v1"])
  })

  it("has a page for each operation, with method, path, examples in three languages and answers", () => {
    for (const operation of operationsOf(contractDocument({ baseUrl: "http://localhost:8080" }))) {
      const shown = page(`/docs/v1/operations/${operationSlug(operation)}`)
      const code = shown("article pre")
        .map((_, block) => shown(block).text())
        .get()
      expect(code[0], operation.id).toContain(`${operation.method} ${operation.path} HTTP/1.1`)
      expect(
        ["sh", "python", "js"].filter((language) => shown(`article code.language-${language}`).length === 0),
        operation.id
      ).toEqual([])
      expect(
        shown("h3")
          .map((_, heading) => shown(heading).text())
          .get(),
        operation.id
      ).toContain(`Status ${Object.keys(operation.responses)[0]}`)
    }
  })

  it("is valid HTML", async () => {
    const faults = await Promise.all(
      [...pages].map(async ([path, text]) => (await htmlFaults(text)).map((fault) => `${path}: ${fault}`))
    )
    expect(faults.flat()).toEqual([])
  })

  it("leaves no placeholder and no directive in any page", () => {
    const left = [...pages].flatMap(([path, text]) =>
      (text.match(/&lt;!--[^>]*|\{(?:\w+_(?:url|rate|policy|quota|budget|life|window)|version|contact)\}/g) ?? []).map(
        (found) => `${path}: ${found}`
      )
    )
    expect(left).toEqual([])
  })

  it("says what each page is about in words of its own", () => {
    const descriptions = slugs.map((slug) => page(pathOf(slug))("meta[name=description]").attr("content") ?? "")
    expect(descriptions).not.toContain("")
    expect(new Set(descriptions).size).toBe(slugs.length)
  })
})

describe("links", () => {
  it("of all pages lead somewhere, and their fragments too", async () => {
    const dead: Array<string> = []
    const known = new Map<string, Promise<ReadonlySet<string> | null>>()
    /** The ids in the file; `null` if there is none. */
    const idsAt = async (path: string): Promise<ReadonlySet<string> | null> => {
      const answer = await service.ask(path, { redirect: "follow" })
      return answer.ok ? new Set([...(await answer.text()).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)) : null
    }
    for (const [path] of pages) {
      const shown = page(path)
      for (const link of shown("a[href]").toArray()) {
        const href = shown(link).attr("href") ?? ""
        if (/^(?:https?|mailto):/.test(href)) continue
        const [target = "", fragment] = href.split("#")
        const to = target === "" ? path : target
        const asked = known.get(to) ?? idsAt(to)
        known.set(to, asked)
        const ids = await asked
        if (ids === null || (fragment !== undefined && !ids.has(fragment))) dead.push(`${path} -> ${href}`)
      }
    }
    expect(dead).toEqual([])
  })

  it("of the Markdown are absolute, and lead to what is there", async () => {
    const targets = new Set<string>()
    for (const path of pages.keys()) {
      const markdown = await (await service.ask(path === "/docs/v1" ? "/docs/v1/index.md" : `${path}.md`)).text()
      const links = [...markdown.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\(([^)\s]+)\)/g)].map(
        ([, href = ""]) => href
      )
      expect(
        links.filter((href) => !/^(?:https?:|mailto:)/.test(href)),
        path
      ).toEqual([])
      for (const href of links) if (href.startsWith("http://localhost:8080/")) targets.add(new URL(href).pathname)
    }
    const statuses = await Promise.all(
      [...targets].map(async (path) => [path, (await service.ask(path, { redirect: "follow" })).status])
    )
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  })
})

describe("every page", () => {
  it("points to llms.txt near its beginning, as a page and as Markdown", async () => {
    for (const [path] of pages) {
      expect(page(path)(".docs-text > blockquote:first-child a[href='/llms.txt']").length, path).toBe(1)
      const markdown = await (await service.ask(path === "/docs/v1" ? "/docs/v1/index.md" : `${path}.md`)).text()
      expect(markdown.slice(0, 1_000), path).toContain("(http://localhost:8080/llms.txt)")
    }
  })

  it("has one canonical URL, Open Graph and JSON-LD that say the same, as the rubric and the first page have", async () => {
    const others = await Promise.all(
      ["/", "/rubric", "/rubric/A1"].map(async (path) => [path, load(await (await service.ask(path)).text())] as const)
    )
    for (const [path, shown] of [...[...pages.keys()].map((each) => [each, page(each)] as const), ...others]) {
      const url = `http://localhost:8080${path}`
      expect(
        shown("link[rel=canonical]")
          .map((_, link) => shown(link).attr("href"))
          .get(),
        path
      ).toEqual([url])
      expect(shown("meta[property='og:url']").attr("content"), path).toBe(url)
      expect(shown("meta[property='og:description']").attr("content"), path).toBe(
        shown("meta[name=description]").attr("content")
      )
      const data = JSON.parse(shown("script[type='application/ld+json']").text()) as {
        readonly "@graph": ReadonlyArray<Record<string, unknown>>
      }
      expect(data["@graph"][0], path).toMatchObject({
        url,
        headline: shown("meta[property='og:title']").attr("content")
      })
      expect(data["@graph"][1], path).toMatchObject({ "@type": "BreadcrumbList" })
    }
  })

  it("has front matter in its Markdown version, and none in llms-full.txt", async () => {
    const text = await (await service.ask("/docs/v1/limits.md")).text()
    const [, matter = ""] = /^---\n([\s\S]*?)\n---\n\n# Limits\n/.exec(text) ?? []
    expect(parse(matter)).toMatchObject({
      title: "Limits",
      canonical_url: "http://localhost:8080/docs/v1/limits",
      last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    })
    expect(await (await service.ask("/llms-full.txt")).text()).not.toContain("\nlast_updated: ")
  })

  it("is Markdown below the address that leads to the first page, too", async () => {
    expect(await (await service.ask("/docs.md")).text()).toBe(await (await service.ask("/docs/v1/index.md")).text())
  })

  it("is listed in sitemap.md, as Markdown that exists", async () => {
    const text = await (await service.ask("/sitemap.md")).text()
    const paths = [...text.matchAll(/\]\(http:\/\/localhost:8080([^)]+)\)/g)].map(([, path = ""]) => path)
    for (const slug of slugs) expect(paths).toContain(slug === "index" ? "/docs/v1/index.md" : `${pathOf(slug)}.md`)
    const statuses = await Promise.all(paths.map(async (path) => (await service.ask(path)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe("Markdown versions", () => {
  it("are what the page's URL returns for Accept: text/markdown", async () => {
    for (const slug of slugs) {
      const markdown = await (await service.ask(slug === "index" ? "/docs/v1/index.md" : `${pathOf(slug)}.md`)).text()
      const asked = await service.ask(pathOf(slug), {
        headers: { accept: "text/markdown, text/html;q=0.8, */*;q=0.1" }
      })
      expect([asked.headers.get("content-type"), asked.headers.get("vary")], slug).toEqual([
        "text/markdown; charset=utf-8",
        "Accept, Accept-Encoding"
      ])
      expect(await asked.text(), slug).toBe(markdown)
    }
  })

  it("have all the text of the pages", async () => {
    for (const slug of slugs) {
      const markdown = await (await service.ask(`${pathOf(slug)}.md`)).text()
      const shown = page(pathOf(slug))
      const segments = shown("article :is(h1, h2, h3, p, li, td, th, pre)")
        .map((_, element) => shown(element).text())
        .get()
      const said = markdown.replaceAll(/\]\([^)\s]+\)/g, "]").replaceAll("\\|", "|")
      expect(parity(segments, [said], 12).missing, slug).toEqual([])
    }
  })

  it("give way to the page where a browser asks", async () => {
    const asked = await service.ask("/docs/v1/limits", {
      headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }
    })
    expect([asked.headers.get("content-type"), asked.headers.get("vary")]).toEqual([
      "text/html; charset=utf-8",
      "Accept, Accept-Encoding"
    ])
  })

  it("are announced, dated and kept by their tag", async () => {
    const answer = await service.ask("/docs/v1/limits")
    expect(answer.headers.get("link")).toContain('</docs/v1/limits.md>; rel="alternate"; type="text/markdown"')
    expect(answer.headers.get("link")).toContain('</openapi.json>; rel="service-desc"')
    expect(answer.headers.get("link")).toContain('</llms.txt>; rel="describedby"; type="text/markdown"')
    expect((await service.ask("/docs/v1/limits.md")).headers.get("link")).toContain('</llms.txt>; rel="describedby"')
    expect(await (await service.ask("/")).text()).toContain('<link rel="describedby" href="/llms.txt"')
    expect(answer.headers.get("last-modified")).toMatch(/^\w{3}, \d{2} \w{3} \d{4} 00:00:00 GMT$/)
    const again = await service.ask("/docs/v1/limits", {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" }
    })
    expect(again.status).toBe(304)
    expect(page("/docs/v1/limits")("link[rel=canonical]").attr("href")).toBe("http://localhost:8080/docs/v1/limits")
  })
})

describe("the service as it is set up", () => {
  it("has its own URLs, limits and contact in the pages", async () => {
    const other = await startService({
      env: {
        DOCGAUGE_BASE_URL: "https://audits.example",
        DOCGAUGE_DOCS_URL: "https://docs.audits.example/reference",
        DOCGAUGE_SUBMIT_RATE: "7/3m",
        DOCGAUGE_MCP_TOKEN_TTL: "5m",
        DOCGAUGE_CONTACT: "mailto:crawler@audits.example"
      }
    })
    try {
      const text = async (path: string): Promise<string> => (await other.ask(path)).text()
      expect(await text("/reference/v1/limits")).toContain(">7 in 3 minutes</td>")
      expect(await text("/reference/v1/authentication.md")).toContain("| lifetime of an access token | 5 minutes |")
      expect(await text("/reference/v1/quickstart.md")).toContain(
        "curl -X POST 'https://audits.example/audit?async=true'"
      )
      expect(await text("/bot")).toContain('<a href="mailto:crawler@audits.example">crawler@audits.example</a>')
      expect(await text("/bot.md")).toContain("(+https://audits.example/bot)")
      expect(await text("/llms.txt")).toContain("https://docs.audits.example/reference/v1/quickstart.md")
      expect((await other.ask("/reference")).headers.get("location")).toBe("/reference/v1")
      expect((await other.ask("/docs")).headers.get("location")).toBe("https://docs.audits.example/reference/v1")
    } finally {
      await other.stop()
    }
  })
})
