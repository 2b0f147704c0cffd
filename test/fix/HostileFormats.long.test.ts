import { load } from "cheerio"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import MarkdownIt, { type Token } from "markdown-it"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { validateXML } from "xmllint-wasm"
import { Transport } from "../../engine/evidence/Transport.ts"
import { auditAndRead } from "../../engine/fix/Fix.ts"
import { apiCatalogFile } from "../../engine/fix/files/ApiCatalogFile.ts"
import { fullTextFile } from "../../engine/fix/files/FullTextFile.ts"
import { headSnippet } from "../../engine/fix/files/HeadSnippet.ts"
import { llmsTxtFile } from "../../engine/fix/files/LlmsTxtFile.ts"
import { robotsTxtFile } from "../../engine/fix/files/RobotsTxtFile.ts"
import { sitemapFiles } from "../../engine/fix/files/SitemapFile.ts"
import { FORMATS } from "../../engine/fix/hosts/Formats.ts"
import { type HostName, HOSTS, linkHeader } from "../../engine/fix/hosts/HostRules.ts"
import { planMarkdown, planPrompt } from "../../engine/fix/plan/PlanMarkdown.ts"
import type { PlanText } from "../../engine/fix/plan/PlanSummary.ts"
import { markdownForms, pathRewrites } from "../../engine/fix/site/MarkdownForms.ts"
import { AI_POLICIES, type Written } from "../../engine/fix/site/GeneratedFile.ts"
import type { PublishedSite } from "../../engine/fix/site/PublishedSite.ts"
import { sharedTexts, type SitePage, sitePageOf, type SitePages, sitePages } from "../../engine/fix/site/SitePages.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { robotsOf } from "../../engine/site/wellknown/Robots.ts"
import { allows, parseRobots } from "../../engine/site/wellknown/RobotsFile.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { plugins } from "../../plugins/index.ts"
import { someFalseCall } from "../drift/SomeDrift.ts"
import { answerOf, hostile, hostileUrl, pageOf } from "./HostileTexts.ts"

/*
 * Whatever a site says: each written file, read by another parser than ours, says what it is to say, and nothing more.
 */

const ORIGIN = "https://docs.example.com"

const SPEC = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1" },
  servers: [{ url: "https://api.harbour-parcels.com" }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  security: [{ key: [] }],
  paths: {
    "/parcels": {
      get: { operationId: "list", summary: "List parcels", responses: { 200: { description: "Parcels" } } }
    }
  }
})

const html = (title: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${title} is described here, in a sentence that is long enough to be one.</p><a href="/one/">One</a><a href="/two/">Two</a><a href="/openapi.json">OpenAPI</a></main></body></html>`

const site: PublishedSite = await Effect.runPromise(
  Effect.gen(function* () {
    const rubric = yield* loadRubric(
      readFileSync(new URL("../../rubric.yaml", import.meta.url)),
      "rubric.yaml",
      plugins
    )
    const { send } = yield* Transport
    return (yield* auditAndRead(
      { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric },
      send
    )).site
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        layerFakeSite(
          { "/": html("Start"), "/one/": html("One"), "/two/": html("Two"), "/openapi.json": SPEC },
          { host: ORIGIN }
        ),
        ParserPool.layerInline
      )
    )
  )
)

const pages = sitePages(site, [], () => null)

/** The pages of the site in other words. */
const inWords = (
  words: ReadonlyArray<{ readonly title: string; readonly description: string; readonly url: string }>
): SitePages => ({
  ...pages,
  title: words[0]?.title ?? "",
  opened: words.flatMap(({ description, title, url }, index): ReadonlyArray<SitePage> => {
    const page = pages.opened[index % pages.opened.length]
    return page === undefined
      ? []
      : [
          {
            ...page,
            title,
            description,
            url: index === 0 ? page.url : url,
            linkedAs: index === 0 ? page.url : url,
            markdown: { url: null, text: `# ${index}\n\nThe text of page ${index}.\n`, written: true }
          }
        ]
  })
})

const word = hostile.map((text) => plainText(`Page ${text}`, 120))
const worded = fc.array(fc.record({ title: word, description: word, url: hostileUrl }), { minLength: 4, maxLength: 6 })

const onlyText = (written: Written): string => {
  expect(written.files, JSON.stringify(written.unwritten)).toHaveLength(1)
  return written.files[0]?.text ?? ""
}

const markdown = new MarkdownIt({ html: true }).enable("table")
// URLs as they are written, whatever their scheme.
markdown.normalizeLink = (url) => url
markdown.validateLink = () => true
const flat = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
  tokens.flatMap((token) => [token, ...flat(token.children ?? [])])
/** The text that a reader sees of inline Markdown. */
const shown = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ content, type }) => (type === "text" || type === "code_inline" || type === "text_special" ? content : ""))
    .join("")
const headingsIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  tokens.flatMap(({ type }, index) => (type === "heading_open" ? [shown(tokens[index + 1])] : []))
const linksIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  flat(tokens).flatMap((token) => (token.type === "link_open" ? [String(token.attrGet("href"))] : []))
const foreignIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  flat(tokens)
    .map(({ type }) => type)
    .filter((type) => /^(?:html_|image|hr$|code_block)/.test(type))

/** A URL in one spelling: what may be percent-encoded is. */
const spelt = (url: string): string =>
  (URL.parse(url)?.href ?? url).replaceAll(
    /[[\]()'*!|^`\\{}~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

const sameUrls = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>): void =>
  expect(found.map(spelt)).toEqual(expected.map(spelt))

describe("Markdown", () => {
  test("llms.txt has the titles, descriptions and URLs of the pages, and no other link, heading or element", () => {
    fc.assert(
      fc.property(worded, (words) => {
        const text = onlyText(
          llmsTxtFile(
            { ...site, llmsTxt: { ...site.llmsTxt, file: null, missing: [] } },
            { ...inWords(words), linked: [] },
            {
              pages: true,
              dead: new Set(),
              fullText: `${ORIGIN}/llms-full.txt`,
              spec: { url: `${ORIGIN}/openapi.json`, title: words[1]?.title ?? "" }
            }
          )
        )
        const tokens = markdown.parse(text, {})
        const own = inWords(words)
        expect(foreignIn(tokens)).toEqual([])
        expect(tokens.filter(({ tag, type }) => type === "heading_open" && tag === "h1")).toHaveLength(1)
        expect(headingsIn(tokens)[0]).toBe(own.title.replaceAll(/\s+/g, " ").trim())
        expect(linksIn(tokens).map(spelt).sort()).toEqual(
          [...own.opened.map(({ linkedAs }) => linkedAs), `${ORIGIN}/openapi.json`].map(spelt).sort()
        )
        const lines = tokens.filter(({ type }) => type === "inline").map(shown)
        // What is said of several pages is said of none.
        const isOwn = (description: string, title: string): boolean =>
          description !== title && own.opened.filter((page) => page.description === description).length === 1
        for (const { description, title } of own.opened) {
          expect(
            lines.some(
              (line) =>
                line.startsWith(title.trim()) && (!isOwn(description, title) || line.endsWith(description.trim()))
            ),
            `${title}: ${description} in ${lines.join("\n")}`
          ).toBe(true)
        }
      }),
      { numRuns: 150 }
    )
  })

  test("llms-full.txt has a heading and the URL of each page, and its text as it is", () => {
    fc.assert(
      fc.property(worded, (words) => {
        const own = inWords(words)
        const long = {
          ...own,
          opened: own.opened.map((page, index) => ({
            ...page,
            markdown: { url: null, text: `# ${index}\n\n${"The text of a page. ".repeat(40)}\n`, written: true }
          }))
        }
        const tokens = markdown.parse(onlyText(fullTextFile(site, long)), {})
        expect(foreignIn(tokens)).toEqual([])
        expect(headingsIn(tokens)).toEqual(
          [own.title, ...own.opened.map(({ title }) => title)].map((title) => title.trim())
        )
        sameUrls(
          linksIn(tokens),
          own.opened.map(({ url }) => url)
        )
      }),
      { numRuns: 150 }
    )
  })

  test("a plan has the rows and links of its files and pages, and nothing that the site wrote becomes Markdown", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostileUrl, word), { minLength: 1, maxLength: 4 }), (all) => {
        const tokens = markdown.parse(planMarkdown(planWith(all)), {})
        expect(foreignIn(tokens)).toEqual([])
        expect(headingsIn(tokens)).toEqual([
          `${ORIGIN}/: 39 → 61 of 100`,
          "Files",
          "False examples and calls",
          "Needs writing",
          ...all.map(([, text]) =>
            `D1 ${text} (+2)`.replaceAll(/`([^`|\s](?:[^`|]*[^`|\s])?)`/g, "$1").replaceAll(/\s+/g, " ")
          )
        ])
        expect(tokens.filter(({ type }) => type === "tr_open")).toHaveLength(all.length + 1)
        const urls = all.map(([url]) => url)
        sameUrls(linksIn(tokens), [...urls, ...urls.flatMap((url) => [url, url]), ...urls])
      }),
      { numRuns: 150 }
    )
  })
})

const planWith = (all: ReadonlyArray<readonly [url: string, text: string]>, baseUrl = `${ORIGIN}/`): PlanText => ({
  before: { base_url: baseUrl, total_score: 39 },
  reportScore: null,
  live: true,
  atLeast: false,
  score: 61,
  gains: [],
  unchecked: [],
  unjudged: [],
  files: all.map(([url], index) => ({
    path: `site/${index}.md`,
    url,
    criteria: ["B1"],
    isVersion: true,
    completes: false
  })),
  todo: all.map(([url, text]) => ({
    criterion: "D1",
    plugin: "d1-runnable-examples",
    title: text,
    includes: [],
    points: 2,
    steps: [text],
    reasons: [text],
    found: text,
    pages: [url],
    option: null
  })),
  drift: {
    findings: all.map(([url, text]) =>
      someFalseCall({
        message: `/a calls ${text}`,
        page: { url, line: 1 },
        description: { url, pointer: text },
        likely: text
      })
    ),
    more: 0
  },
  pages: { withFiles: 0, known: 0, unopened: 0, limited: 0, all: null, section: null },
  difference: null,
  otherVersions: [],
  kept: [],
  cost: { estimator: "utf8-bytes/4", pages: null, operation: null },
  recipes: [],
  host: null
})

describe("a prompt for a coding agent", () => {
  test("has commands in which the URL is one word of a shell, and that URL", () => {
    fc.assert(
      fc.property(hostileUrl, (url) => {
        const prompt = planPrompt(planWith([[url, "Text"]], url), "docgauge-fix", "https://docgauge.dev/r/1/fixes.zip")
        const commands = [...prompt.matchAll(/^(?:Check|When all is published): `(.*)`$/gm)].map(
          ([, command]) => command ?? ""
        )
        expect(commands).toHaveLength(2)
        for (const command of commands) {
          const [name, program, given] = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], {
            encoding: "utf8"
          }).split("\n")
          expect([name, program, given]).toEqual([
            "npx",
            "docgauge",
            url.replace(/\/$/, "").replaceAll("'", "%27").replaceAll("`", "%60")
          ])
        }
      }),
      { numRuns: 20 }
    )
  })
})

describe("XML", () => {
  const withoutSitemaps: PublishedSite = {
    ...site,
    sitemaps: { ...site.sitemaps, entries: [], files: [], missing: [] }
  }
  const located = (urls: ReadonlyArray<string>): SitePages => ({
    ...pages,
    opened: [],
    linked: [...new Set(urls)].map((url) => ({ url, title: "" }))
  })

  test("sitemap.xml lists the URLs and has no other element, attribute, entity or comment", () => {
    fc.assert(
      fc.property(fc.array(hostileUrl, { minLength: 1, maxLength: 8 }), (urls) => {
        const text = onlyText(sitemapFiles(withoutSitemaps, located(urls)))
        expect(text).toMatch(
          /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"<&]*">\n(?: {2}<url><loc>(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)*<\/loc><\/url>\n)*<\/urlset>\n$/
        )
        const $ = load(text, { xml: true })
        expect(
          $("loc")
            .toArray()
            .map((element) => $(element).text())
        ).toEqual([...new Set(urls)])
        expect(
          $("*")
            .toArray()
            .map((element) => $(element).prop("tagName")?.toLowerCase())
        ).toEqual(["urlset", ...[...new Set(urls)].flatMap(() => ["url", "loc"])])
      }),
      { numRuns: 300 }
    )
  })

  test("sitemap.xml is well-formed for libxml2", async () => {
    const urls = fc.sample(hostileUrl, 400)
    const { errors, valid } = await validateXML({
      xml: [{ fileName: "sitemap.xml", contents: onlyText(sitemapFiles(withoutSitemaps, located(urls))) }],
      extension: "schema",
      schema: [SITEMAP_SCHEMA]
    })
    expect(errors).toEqual([])
    expect(valid).toBe(true)
  })

  test("a sitemap of the owner's keeps its comments, sections and entities, and gets the missing URLs", () => {
    fc.assert(
      fc.property(fc.array(hostileUrl, { minLength: 1, maxLength: 4 }), hostile, (urls, said) => {
        const comment = `<!-- ${said.replaceAll(/-|\p{C}/gu, "")} -->`
        const section = `<![CDATA[${ORIGIN}/one/]]>`
        const owners = `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${comment}<url><loc>${section}</loc></url></urlset>\n`
        const file = {
          url: `${ORIGIN}/sitemap.xml`,
          source: "well_known",
          verdict: "urlset",
          exchange: answerOf(`${ORIGIN}/sitemap.xml`, "application/xml", owners),
          locations: 1
        } as const
        const sitemaps: PublishedSite["sitemaps"] = {
          ...site.sitemaps,
          missing: [],
          truncated: false,
          entries: [{ url: `${ORIGIN}/one/`, lastmod: null, file: 0 }],
          files: [file]
        }
        const wanted = [...new Set(urls)].filter((url) => url !== `${ORIGIN}/one/`)
        const written = sitemapFiles({ ...site, sitemaps }, located(wanted))
        if (written.files.length === 0) return
        const text = onlyText(written)
        expect(text).toContain(comment)
        expect(text).toContain(section)
        const $ = load(text, { xml: true })
        const keys = new Set(wanted.map((url) => url.replace(/\/$/, "")))
        expect(
          $("loc")
            .toArray()
            .map((element) => $(element).text())
            .slice(1)
            .every((url) => keys.has(url.replace(/\/$/, "")))
        ).toBe(true)
      }),
      { numRuns: 200 }
    )
  })
})

const SITEMAP_SCHEMA = {
  fileName: "sitemap.xsd",
  contents: `<?xml version="1.0" encoding="UTF-8"?>
<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">
  <xsd:element name="urlset"><xsd:complexType><xsd:sequence><xsd:element name="url" maxOccurs="unbounded"><xsd:complexType><xsd:sequence>
    <xsd:element name="loc" type="xsd:string"/><xsd:element name="lastmod" type="xsd:date" minOccurs="0"/>
  </xsd:sequence></xsd:complexType></xsd:element></xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>`
}

describe("robots.txt", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "User-agent: *",
      "User-agent: GPTBot",
      "Allow: /",
      "Disallow: /private",
      "Crawl-delay: 3",
      "Content-Signal: search=yes",
      "# comment",
      "",
      "Sitemap: https://docs.example.com/map.xml"
    ),
    hostile.map((text) => `Disallow: /${text}`),
    hostile.map((text) => `User-agent: ${text}`),
    hostile
  )
  const owners = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"))

  test("keeps what the owner wrote, adds only lines that it is meant to add, and changes nothing for agents that are named or are no AI", () => {
    fc.assert(
      fc.property(owners, fc.constantFrom(...AI_POLICIES), fc.webPath(), (there, ai, path) => {
        const robots = robotsOf(
          site.base,
          `${ORIGIN}/robots.txt`,
          answerOf(`${ORIGIN}/robots.txt`, "text/plain", there),
          { places: [], catchAll: false }
        )
        const written = robotsTxtFile({ ...site, robots }, { ai, sitemap: `${ORIGIN}/sitemap.xml` })
        // What looks like a web page is no robots.txt.
        if (written.files.length === 0 || robots.state !== "read") return
        const text = onlyText(written)
        const kept = there.trim() === "" ? "" : `${there.replace(/^\uFEFF/, "").trimEnd()}\n`
        expect(text.startsWith(kept)).toBe(true)
        const before = parseRobots(there)
        const rules = new Set(
          before.groups.flatMap((group) => [
            ...group.rules.map(({ kind, path: rule }) => `${kind === "allow" ? "Allow" : "Disallow"}: ${rule}`),
            ...group.signals.map((signal) => `Content-Signal: ${signal}`),
            ...group.others
          ])
        )
        for (const added of text.slice(kept.length).split("\n")) {
          expect(
            /^(?:|# AI agents that may (?:not )?read this site|User-agent: [\w-]+|User-agent: \*|Allow: \/|Disallow: \/|Sitemap: https:\/\/docs\.example\.com\/sitemap\.xml)$/.test(
              added
            ) || rules.has(added),
            JSON.stringify(added)
          ).toBe(true)
        }
        const after = parseRobots(text)
        for (const agent of ["*", "googlebot", ...before.groups.flatMap(({ agents }) => agents)]) {
          if (before.groups.some(({ agents }) => agents.includes(agent)) || agent === "*")
            expect(allows(after, agent, `${ORIGIN}${path}`), agent).toBe(allows(before, agent, `${ORIGIN}${path}`))
        }
      }),
      { numRuns: 400 }
    )
  })
})

describe("JSON", () => {
  test("an API catalog has the server, the description and the documentation, as they are", () => {
    fc.assert(
      fc.property(hostileUrl, hostileUrl, (server, description) => {
        const { best } = site.spec
        if (best === null) throw new Error("the site has a description")
        const spec = {
          ...site.spec,
          best: {
            ...best,
            url: description,
            spec: { ...best.spec, servers: [{ ...best.spec.servers[0], url: server, usable: true }] }
          }
        } as PublishedSite["spec"]
        const catalog: unknown = JSON.parse(onlyText(apiCatalogFile({ ...site, spec })))
        expect(catalog).toEqual({
          linkset: [
            {
              anchor: server,
              "service-desc": [{ href: description, type: "application/json" }],
              "service-doc": [{ href: site.base.url, type: "text/html" }]
            }
          ]
        })
      }),
      { numRuns: 200 }
    )
  })

  test("the JSON-LD and the elements of a head have the texts of the page, in HTML as another parser reads it", () => {
    fc.assert(
      fc.property(word, hostileUrl, (title, url) => {
        const page = pageOf("<!doctype html><html><head></head><body><main><p>Some text.</p></main></body></html>")
        const snippet = headSnippet(
          {
            ...sitePageOf(page, sharedTexts([]), "2026-11-21", { url: `${url}.md`, text: "", written: true }),
            url,
            title
          },
          { metadata: true, entryPoints: true, spec: { url, type: "application/json" }, site: "example.com" }
        )
        const $ = load(`<!doctype html><html><head>${snippet?.text ?? ""}</head><body></body></html>`)
        expect(
          $("head")
            .children()
            .toArray()
            .map((element) => element.tagName)
        ).toEqual(["title", "link", "script", "link", "link"])
        expect($("body").contents().length).toBe(0)
        expect($("title").text()).toBe(title)
        expect(
          $("link")
            .toArray()
            .map((element) => $(element).attr("href"))
        ).toEqual([url, `${url}.md`, url])
        expect(JSON.parse($("script").text())).toMatchObject({ headline: title, url, dateModified: "2026-11-21" })
      }),
      { numRuns: 300 }
    )
  })
})

/** The words and marks of a configuration: words are quoted or bare, marks end or nest statements. */
const configurationTokens = (text: string, quotes: string, marks: string): ReadonlyArray<string> => {
  const tokens: Array<string> = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (/\s/.test(character)) {
      if (character === "\n" && marks.includes("\n")) tokens.push("\n")
      at += 1
    } else if (character === "#" && (!marks.includes("\n") || at === 0 || text.charAt(at - 1) === "\n"))
      at = text.indexOf("\n", at) === -1 ? text.length : text.indexOf("\n", at)
    else if (marks.includes(character)) {
      tokens.push(character)
      at += 1
    } else if (quotes.includes(character)) {
      let end = at + 1
      while (end < text.length && text.charAt(end) !== character)
        end += text.charAt(end) === "\\" && character !== "`" ? 2 : 1
      tokens.push(`=${text.slice(at + 1, end).replaceAll(/\\(["'\\])/g, "$1")}`)
      at = end + 1
    } else {
      const [bare = character] = /^[^\s]+?(?=[\s;]|[{}](?:\s|$)|$)/.exec(text.slice(at)) ?? []
      tokens.push(`=${bare}`)
      at += bare.length
    }
  }
  return tokens
}

describe("the configuration of a host", () => {
  const REWRITES = pathRewrites(markdownForms([]))
  const linkOf = (url: string): string | null => linkHeader([{ url: new URL(url).pathname, rel: "describedby" }])
  const written = (host: HostName, link: string | null): ReadonlyMap<string, string> =>
    new Map((FORMATS[host]?.write({ link, rewrites: REWRITES }) ?? []).map(({ name, text }) => [name, text] as const))
  const statementsOf = (tokens: ReadonlyArray<string>, end: string): ReadonlyArray<string> => {
    const statements: Array<Array<string>> = [[]]
    for (const token of tokens) {
      if (token === end) statements.push([])
      else statements.at(-1)?.push(token)
    }
    return statements.map((words) => words.join(" ")).filter((statement) => statement !== "")
  }

  const anyUrl = fc.oneof(
    hostileUrl,
    fc.webPath().map((path) => `${ORIGIN}${path}`),
    fc.constant(`${ORIGIN}/my%20docs/llms.txt`)
  )

  test("names a URL only if no syntax gives one of its characters a meaning", () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        const link = linkOf(url)
        if (link !== null) expect(link).toBe(`<${new URL(url).pathname}>; rel="describedby"`)
        else expect(new URL(url).pathname).toMatch(/[^A-Za-z0-9\-._~/%:]/)
      }),
      { numRuns: 500 }
    )
  })

  test.each(HOSTS.filter((host) => FORMATS[host] !== null))(
    "of %s differs from that for another URL in the value of the Link header alone, whole and in its place",
    (host) => {
      const plain = linkOf(`${ORIGIN}/llms.txt`)
      const other = written(host, plain)
      fc.assert(
        fc.property(anyUrl, (url) => {
          const link = linkOf(url)
          if (link === null) return
          for (const [name, text] of written(host, link)) {
            const before = other.get(name) ?? ""
            if (name.endsWith(".js")) expect(text).toBe(before)
            else if (name.endsWith(".json"))
              expect(JSON.parse(text)).toEqual(
                JSON.parse(before, (_, value: unknown) => (value === plain ? link : value))
              )
            else if (host === "nginx") {
              const [own, others] = [text, before].map((one) =>
                statementsOf(configurationTokens(one, "'\"", ";{}"), ";")
              )
              expect(own).toEqual(
                others?.map((statement) =>
                  statement === `=add_header =Link =${plain}` ? `=add_header =Link =${link}` : statement
                )
              )
              if (name === "docgauge-server.conf") expect(own).toContain(`=add_header =Link =${link}`)
            } else if (host === "apache") {
              const [own, others] = [text, before].map((one) => statementsOf(configurationTokens(one, '"', "\n"), "\n"))
              const escaped = (value: string | null): string =>
                `=Header =add =Link =${(value ?? "").replaceAll("%", "%%")}`
              expect(own).toEqual(
                others?.map((statement) => (statement === escaped(plain) ? escaped(link) : statement))
              )
              expect(own).toContain(escaped(link))
            } else if (host === "caddy") {
              const [own, others] = [text, before].map((one) =>
                statementsOf(configurationTokens(one, '"`', "\n"), "\n")
              )
              expect(own).toEqual(
                others?.map((statement) =>
                  statement === `=header =+Link =${plain}` ? `=header =+Link =${link}` : statement
                )
              )
              expect(own).toContain(`=header =+Link =${link}`)
            } else {
              expect(name).toBe("_headers")
              const lines = text.split("\n").filter((one) => one !== "" && !one.startsWith("#"))
              expect(lines).toEqual(["/*", `  Link: ${link}`, "  Vary: Accept"])
            }
          }
        }),
        { numRuns: 200 }
      )
    }
  )
})
