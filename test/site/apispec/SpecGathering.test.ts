import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import type { ParsedSpec, SpecInput, SpecSearch, UnparsedReason } from "../../../engine/apispec/ApiSpec.ts"
import type { PageInput } from "../../../engine/page/Page.ts"
import type { LlmsTxt } from "../../../engine/site/wellknown/LlmsTxt.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { readSpec } from "../../../engine/apispec/read/ReadSpec.ts"
import { candidateUrls } from "../../../engine/site/apispec/SpecCandidates.ts"
import { gatherSpec } from "../../../engine/site/apispec/SpecGathering.ts"
import { answerOf, fakeContext, type FakeOptions, HONEST, ORIGIN, type Replies } from "../FakeContext.ts"
import { OK, openapi } from "../../apispec/ReadFixture.ts"
import { isOurLimit } from "../../../engine/evidence/Exchange.ts"
import { searchFor } from "../../../engine/plugin/SpecEvidence.ts"

const NO_LLMS: LlmsTxt = { candidates: [], preferred: [], file: null, nested: [], missing: [] }
const DESCRIPTION = JSON.stringify(openapi({ paths: { "/orders": { get: OK } } }))

type Reader = (input: SpecInput) => Promise<ParsedSpec>

/** Searches from one page with this body. */
const searchFrom = async (html: string, replies: Replies, options: FakeOptions = {}, reader: Reader = readSpec) => {
  const fake = fakeContext(replies, options)
  const context = {
    ...fake.context,
    parsing: {
      ...fake.context.parsing,
      page: ({ answer }: PageInput) => Effect.sync(() => readPage({ answer })),
      spec: (input: SpecInput) => Effect.promise(() => reader(input))
    }
  }
  const pages = [readPage({ answer: answerOf(`${ORIGIN}/`, html) })]
  const search: SpecSearch = await Effect.runPromise(
    gatherSpec(context, HONEST, Effect.succeed({ llmsTxt: NO_LLMS, pages, missing: [] }))
  )
  return { search, asked: fake.asked }
}

describe("what is asked", () => {
  test("a site that announces its description is asked for that and for the catalog", async () => {
    const { asked, search } = await searchFrom('<a href="/v1/openapi.json">OpenAPI</a>', {
      "/v1/openapi.json": DESCRIPTION
    })
    expect(search.best?.url).toBe(`${ORIGIN}/v1/openapi.json`)
    expect([...new Set(asked)]).toEqual(["/.well-known/api-catalog", "/v1/openapi.json"])
  })

  test("one that announces nothing is asked at the usual addresses, at the origin and below the base", async () => {
    const { asked } = await searchFrom("<p>Nothing</p>", {}, { prefix: "/docs/" })
    expect([...new Set(asked)]).toEqual([
      "/.well-known/api-catalog",
      "/openapi.json",
      "/docs/openapi.json",
      "/openapi.yaml",
      "/docs/openapi.yaml",
      "/swagger.json",
      "/docs/swagger.json",
      "/v3/api-docs",
      "/api/openapi.json"
    ])
  })

  test("what the base page announces is fetched and read while the other pages are on their way", async () => {
    const fake = fakeContext({ "/v1/openapi.json": DESCRIPTION })
    const page = readPage({ answer: answerOf(`${ORIGIN}/`, '<a href="/v1/openapi.json">OpenAPI</a>') })
    const read: Array<string> = []
    const spec = (input: Parameters<typeof readSpec>[0]) =>
      Effect.promise(async () => {
        read.push(input.document.url)
        return readSpec(input)
      })
    const context = {
      ...fake.context,
      base: { ...fake.context.base, page },
      parsing: { ...fake.context.parsing, spec }
    }
    const pages = Effect.gen(function* () {
      while (read.length === 0) yield* Effect.sleep(5)
      expect(read).toEqual([`${ORIGIN}/v1/openapi.json`])
      return { llmsTxt: NO_LLMS, pages: [page], missing: [] }
    })
    const search = await Effect.runPromise(gatherSpec(context, HONEST, pages))
    expect(search.best?.url).toBe(`${ORIGIN}/v1/openapi.json`)
    expect(read).toHaveLength(1)
  })

  test("of many that are announced, the first few", async () => {
    const links = Array.from({ length: 30 }, (_, index) => `<a href="/api/${index}/openapi.json">x</a>`).join("")
    const { asked, search } = await searchFrom(links, { "/api/0/openapi.json": DESCRIPTION })
    expect([...new Set(asked)].filter((path) => path.startsWith("/api/"))).toHaveLength(5)
    expect(search.candidates).toHaveLength(30)
    expect(search.unread).toBe(25)
  })

  test("of many that are announced, a whole before the others before a part, each in the order of the page", async () => {
    const names = [
      "b/webhooks.openapi",
      "z/orders-openapi",
      "c/openapi",
      "a/items-openapi",
      "old/openapi",
      "q/all-swagger"
    ]
    const links = names.map((name) => `<a href="/${name}.json">x</a>`).join("")
    const { asked } = await searchFrom(links, {})
    expect([...new Set(asked)].filter((path) => names.some((name) => path === `/${name}.json`))).toEqual([
      "/c/openapi.json",
      "/q/all-swagger.json",
      "/z/orders-openapi.json",
      "/a/items-openapi.json",
      "/b/webhooks.openapi.json"
    ])
  })

  /** What is asked of links with these texts, by the file's name. */
  const askedOf = async (links: ReadonlyArray<readonly [file: string, text: string]>, body = "") => {
    const html = links.map(([file, text]) => `<a href="/${file}">${text}</a>`).join("")
    const { asked, search } = await searchFrom(`${html}${body}`, {})
    return { files: [...new Set(asked)].filter((path) => links.some(([file]) => path === `/${file}`)), search }
  }

  test("of many, one whose link promises a whole is among the first", async () => {
    const { files } = await askedOf([
      ...["a", "b", "c", "d", "e", "f"].map((name) => [`${name}/${name}-openapi.json`, name] as const),
      ["y/core-openapi.json", "The complete API description"]
    ])
    expect(files[0]).toBe("/y/core-openapi.json")
    expect(files).toHaveLength(5)
  })

  test("of many, one that is called by the product's name alone is among the first", () => {
    const by = answerOf(`${ORIGIN}/`, "")
    const mentions = ["orders.openapi.json", "quill.openapi.json", "quill-orders.openapi.json"].map((file) => ({
      url: `${ORIGIN}/${file}`,
      source: "link" as const,
      by,
      text: "Download",
      operations: 0
    }))
    const owner = { site: "example.com", names: new Set(["quill"]) }
    expect(candidateUrls(mentions, [], owner).map(({ url }) => new URL(url).pathname)).toEqual([
      "/quill.openapi.json",
      "/orders.openapi.json",
      "/quill-orders.openapi.json"
    ])
  })

  test("of many, an older version of another one is among the last", async () => {
    const { files } = await askedOf([
      ...["v1", "v2", "v9", "v10"].map((version) => [`${version}/openapi.json`, version] as const),
      ...["a", "b", "c", "d"].map((name) => [`${name}-openapi.json`, name] as const)
    ])
    expect(files).toEqual([
      "/v10/openapi.json",
      "/a-openapi.json",
      "/b-openapi.json",
      "/c-openapi.json",
      "/d-openapi.json"
    ])
  })

  test("of many, those that pages with most operations name are first", async () => {
    const fake = fakeContext({})
    const linked = (path: string, names: ReadonlyArray<string>, operations: number) =>
      readPage({
        answer: answerOf(
          `${ORIGIN}${path}`,
          `<main>${names.map((name) => `<a href="/${name}-openapi.json">${name}</a>`).join(" ")}${Array.from({ length: operations }, (_, index) => `<p>GET /orders/${index}</p>`).join("")}</main>`
        )
      })
    const pages = [
      linked("/", ["a", "b", "c", "d", "e", "f"], 0),
      linked("/small", ["g"], 2),
      linked("/large", ["h"], 9)
    ]
    await Effect.runPromise(gatherSpec(fake.context, HONEST, Effect.succeed({ llmsTxt: NO_LLMS, pages, missing: [] })))
    expect([...new Set(fake.asked)].filter((path) => path.endsWith("-openapi.json"))).toEqual(
      ["h", "g", "a", "b", "c"].map((name) => `/${name}-openapi.json`)
    )
  })

  test("where none of those that are read is one, the rest is missing by a limit of ours", async () => {
    const names = ["a", "b", "c", "d", "e", "f"]
    const { search } = await askedOf(names.map((name) => [`${name}-openapi.json`, name]))
    expect(search.unread).toBe(1)
    expect(search.unobtainable !== null && isOurLimit(search.unobtainable)).toBe(true)
    const said = await Effect.runPromise(
      Effect.flip(searchFor({ base: { url: ORIGIN }, spec: Effect.succeed(search) }))
    )
    expect(said.message).toBe(
      "The site names 6 API descriptions. We read 5 of them and found none of the product's own API; another may be one."
    )
  })

  test("where a page is missing that may name one, it says so, and on which host", async () => {
    const url = "https://www.example.com/api"
    const missing = { ...answerOf(url, ""), status: 503 }
    const { context } = fakeContext({})
    const clues = { llmsTxt: NO_LLMS, pages: [], missing: [missing] }
    const search = await Effect.runPromise(gatherSpec(context, HONEST, Effect.succeed(clues)))
    const said = await Effect.runPromise(
      Effect.flip(searchFor({ base: { url: ORIGIN }, spec: Effect.succeed(search) }))
    )
    expect(said.message).toBe("We could not read www.example.com/api, which may name an API description.")
  })

  test("an announced one at a well-known address is both", async () => {
    const { search } = await searchFrom('<a href="/openapi.json">OpenAPI</a><redoc spec-url="/openapi.json"></redoc>', {
      "/openapi.json": DESCRIPTION
    })
    expect(search.best?.sources).toEqual(["link", "well_known", "viewer"])
  })
})

describe("viewers", () => {
  const VIEWER = '<script>SwaggerUIBundle({ url: "./orders.json", dom_id: "#a" })</script>'

  test.each([
    ["its URL", '<a href="/swagger-ui/">Try</a>', "/swagger-ui/"],
    ["its URL's query", '<a href="/try/?url=/try/orders.json">Try</a>', "/try/?url=/try/orders.json"],
    ["its link's text", '<a href="/try/">Swagger</a>', "/try/"],
    ["a link to the API as a whole", '<a href="/try/">API-Referenz</a>', "/try/"],
    [
      "the heading of the guide that frames it",
      `<h1>Orders API</h1><p>${"A guide to orders. ".repeat(30)}</p><iframe src="/rest/api/orders.html"></iframe>`,
      "/rest/api/orders.html"
    ]
  ])("that a page links to are opened, known by %s", async (_, link, url) => {
    const { search } = await searchFrom(link, {
      [url]: VIEWER,
      [new URL("orders.json", `${ORIGIN}${url}`).pathname]: DESCRIPTION
    })
    expect(search.best?.sources).toEqual(["viewer"])
  })

  test("are not opened where an OpenAPI document is announced, nor are more than three of them, nor other pages", async () => {
    const links = '<a href="/redoc/">Redoc</a><a href="/a/">Guide</a>'
    const announced = await searchFrom(`${links}<a href="/openapi.json">OpenAPI</a>`, { "/openapi.json": DESCRIPTION })
    expect(announced.asked).not.toContain("/redoc/")
    const many = Array.from({ length: 9 }, (_, index) => `<a href="/p${index}/redoc/">x</a>`).join("")
    const { asked } = await searchFrom(`${links}${many}`, {})
    expect(asked.filter((path) => path.endsWith("/redoc/") || path === "/a/")).toEqual([
      "/redoc/",
      "/p0/redoc/",
      "/p1/redoc/"
    ])
  })

  test("are not opened of versions that are not in force", async () => {
    const links = ["1.0", "1.10", "1.9", "unreleased"].map((version) => `<a href="/${version}/redoc/">API</a>`)
    const { asked } = await searchFrom(links.join(""), {})
    expect(asked.filter((path) => path.endsWith("/redoc/"))).toEqual(["/1.10/redoc/"])
  })

  test("take what they show from scripts and files beside them, with URLs as their page has them", async () => {
    const { search } = await searchFrom("<script src=ui/swagger-initializer.js></script>", {
      "/ui/swagger-initializer.js":
        "SwaggerUIBundle({ url: 'https://petstore.swagger.io/v2/swagger.json', configUrl: 'conf' })",
      "/conf": '{ "url": "v3/orders" }',
      "/v3/orders": DESCRIPTION
    })
    expect(search.best).toMatchObject({ url: `${ORIGIN}/v3/orders`, sources: ["viewer"] })
  })

  test("may have the description in such a script, which is then the place that it is found at", async () => {
    const { search } = await searchFrom("<script src=ui/swagger-ui-init.js></script>", {
      "/ui/swagger-ui-init.js": `let options = { "swaggerDoc": ${DESCRIPTION}, "customOptions": {} }`
    })
    expect(search.best).toMatchObject({ url: `${ORIGIN}/ui/swagger-ui-init.js`, sources: ["inline"] })
  })

  test("of other sites may show a description of this one", async () => {
    const { search } = await searchFrom(
      `<a href="https://viewer.elsewhere.org/?url=${encodeURIComponent(`${ORIGIN}/files/openapi.json`)}">Reference</a>`,
      { "/files/openapi.json": DESCRIPTION }
    )
    expect(search.best).toMatchObject({ url: `${ORIGIN}/files/openapi.json`, sources: ["viewer"] })
  })
})

describe("a description on another site", () => {
  const offSite = async (href: string, text: string) =>
    (await searchFrom(`<a href="${href}">${text}</a>`, {}, { prefix: "/acme/" })).search.candidates.filter(
      (candidate) => candidate.offSite
    ).length

  test.each([
    ["its link's text calls it one", "https://files.elsewhere.org/x.json", "OpenAPI file", 1],
    [
      "it is called one below the product's name",
      "https://raw.githubusercontent.com/acme-org/specs/main/openapi.yaml",
      "here",
      1
    ],
    ["it is called one after the product", "https://cdn.elsewhere.org/Acme.postman_collection.json", "here", 1]
  ])("is known where %s", async (_, href, text, count) => {
    expect(await offSite(href, text)).toBe(count)
  })

  test.each([
    ["it is another product's", "https://raw.githubusercontent.com/other/specs/main/openapi.yaml"],
    ["it is an example", "https://raw.githubusercontent.com/acme/specs/main/examples/openapi.yaml"],
    ["only its folder is called one", "https://raw.githubusercontent.com/acme/openapi/main/package.json"]
  ])("is none of the site's where %s", async (_, href) => {
    expect(await offSite(href, "here")).toBe(0)
  })
})

test("a description of webhooks only is no placeholder", async () => {
  const { search } = await searchFrom('<a href="/openapi.json">OpenAPI</a>', {
    "/openapi.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Acme", version: "1" },
      webhooks: { sent: { post: OK } }
    })
  })
  expect(search.best).toMatchObject({ placeholder: null })
})

describe("references to other files", () => {
  const to = (target: string) => JSON.stringify(openapi({ paths: { "/a": { get: OK }, "/b": { $ref: target } } }))

  test("are followed round by round, within the site, each file once", async () => {
    const { asked, search } = await searchFrom('<a href="/openapi.json">OpenAPI</a>', {
      "/openapi.json": to("one.json"),
      "/one.json": JSON.stringify({
        get: { ...OK, responses: { 200: { $ref: "two.json#/done" } } },
        post: { ...OK, responses: { 200: { $ref: "https://elsewhere.org/x.json" } } }
      }),
      "/two.json": JSON.stringify({ done: { description: "Done" }, back: { $ref: "one.json" } })
    })
    expect(search.best?.spec).toMatchObject({
      files: 3,
      operationCount: 3,
      missingFiles: ["https://elsewhere.org/x.json"]
    })
    expect(search.best?.spec.validity.errorCount).toBe(0)
    expect(asked.filter((path) => path === "/one.json" || path === "/two.json")).toEqual(["/one.json", "/two.json"])
  })

  test("end after twenty files, and what was not read is no error", async () => {
    const members = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`S${index}`, { $ref: `schemas/s${index}.json` }])
    )
    const replies = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`/schemas/s${index}.json`, '{"type":"string"}'])
    )
    const { search } = await searchFrom('<a href="/openapi.json">OpenAPI</a>', {
      ...replies,
      "/openapi.json": JSON.stringify(openapi({ paths: { "/a": { get: OK } }, components: { schemas: members } }))
    })
    expect(search.best?.spec.files).toBe(21)
    expect(search.best?.spec.validity.errorCount).toBe(0)
  })
})

describe("examples in files of their own", () => {
  const schema = { type: "object", properties: { amount: { type: "integer" } } }
  const showing = (...urls: ReadonlyArray<string>) => {
    const examples = Object.fromEntries(urls.map((url, index) => [`e${index}`, { externalValue: url }]))
    const post = { ...OK, requestBody: { content: { "application/json": { schema, examples } } } }
    return JSON.stringify(openapi({ paths: { "/a": { post } } }))
  }

  test("are read on the site, and nowhere else", async () => {
    const { asked, search } = await searchFrom('<a href="/api/openapi.json">OpenAPI</a>', {
      "/api/openapi.json": showing("right.json", "/wrong.json", "gone.json", "https://elsewhere.org/x.json"),
      "/api/right.json": '{"amount":1}',
      "/wrong.json": '{"amount":"much"}'
    })
    expect(search.best?.spec.examples).toMatchObject({ compared: 2, false: 1, notCompared: 2 })
    expect(search.best?.spec.examples.found.map(({ at }) => at)).toEqual([
      "#/paths/~1a/post/requestBody/content/application~1json/examples/e1"
    ])
    expect(search.best?.spec).toMatchObject({ files: 1, missingFiles: [] })
    expect(search.missingFiles).toEqual([])
    expect(asked.filter((path) => /(?:right|wrong|gone)\.json$/.test(path))).toHaveLength(3)
  })

  test("are read after all files that references lead to, eight at most", async () => {
    const urls = Array.from({ length: 30 }, (_, index) => `e${index}.json`)
    const { asked } = await searchFrom('<a href="/openapi.json">OpenAPI</a>', {
      ...Object.fromEntries(urls.map((url) => [`/${url}`, "{}"])),
      "/openapi.json": showing(...urls)
    })
    expect(asked.filter((path) => /^\/e\d+\.json$/.test(path))).toHaveLength(8)
  })
})

describe("what could not be fetched", () => {
  test("is kept apart from what is not there", async () => {
    expect((await searchFrom("<p>Nothing</p>", {})).search.unobtainable).toBeNull()
    expect((await searchFrom("<p>Nothing</p>", {}, { otherwise: null })).search.unobtainable?.asked.url).toBe(
      `${ORIGIN}/openapi.json`
    )
    const busy = await searchFrom('<a href="/api/openapi.json">OpenAPI</a>', { "/api/openapi.json": 503 })
    expect(busy.search.unobtainable?.asked.url).toBe(`${ORIGIN}/api/openapi.json`)
  })

  test("may be better than another that was found, if it is announced", async () => {
    const { search } = await searchFrom('<a href="/api/openapi.json">OpenAPI</a>', {
      "/api/openapi.json": 503,
      "/openapi.json": DESCRIPTION
    })
    expect(search.best?.url).toBe(`${ORIGIN}/openapi.json`)
    expect(search.unobtainable?.asked.url).toBe(`${ORIGIN}/api/openapi.json`)
  })

  test("does not matter if it is a guess, and an OpenAPI document was found", async () => {
    const { search } = await searchFrom("<p>Nothing</p>", { "/openapi.yaml": 503, "/openapi.json": DESCRIPTION })
    expect(search.best?.url).toBe(`${ORIGIN}/openapi.json`)
    expect(search.unobtainable).toBeNull()
  })
})

describe("what all descriptions of an audit take to read", () => {
  const MB = 1024 * 1024
  const LINKS =
    '<a href="/a/openapi.json">OpenAPI</a> <a href="/b/openapi.json">OpenAPI</a> <a href="/c/openapi.json">OpenAPI</a>'
  const text = (start: string, megabytes: number): string => start.padEnd(megabytes * MB, " ")

  /** Reads what it is given in no time, and notes it. */
  const noting = (outcome: (url: string) => UnparsedReason = () => "not_a_description") => {
    const read: Array<string> = []
    const reader: Reader = async ({ document: { url } }) => {
      read.push(new URL(url).pathname)
      return { _tag: "Unparsed", url, reason: outcome(new URL(url).pathname), message: "it is no API description" }
    }
    return { read, reader }
  }

  test("has a limit: what is beyond it is not read, and not known", async () => {
    const { read, reader } = noting()
    const { search } = await searchFrom(
      LINKS,
      { "/a/openapi.json": text("{", 13), "/b/openapi.json": text("{", 13), "/c/openapi.json": text("{", 11) },
      {},
      reader
    )
    expect(read).toEqual(["/a/openapi.json", "/c/openapi.json"])
    expect(search.unobtainable).toMatchObject({ _tag: "Answer", asked: { url: `${ORIGIN}/b/openapi.json` }, cut: true })
    expect(
      await Effect.runPromise(Effect.flip(searchFor({ base: { url: ORIGIN }, spec: Effect.succeed(search) })))
    ).toMatchObject({
      _tag: "Unobtainable",
      message:
        "We could not read /b/openapi.json, which may be the API description: the descriptions before it took up our limit for one site."
    })
  })

  test("counts YAML and GraphQL, which take longer to read, four times", async () => {
    const { read, reader } = noting()
    await searchFrom(
      LINKS,
      {
        "/a/openapi.json": text("\n openapi: 3", 3),
        "/b/openapi.json": text("type Query", 4),
        "/c/openapi.json": text(" {", 12)
      },
      {},
      reader
    )
    expect(read).toEqual(["/a/openapi.json", "/c/openapi.json"])
  })

  test("is no limit of a single one: the first is read, however large", async () => {
    const { read, reader } = noting()
    await searchFrom(LINKS, { "/a/openapi.json": text("openapi: 3", 7), "/b/openapi.json": "{}" }, {}, reader)
    expect(read).toEqual(["/a/openapi.json"])
  })

  test("counts a description again with each round of files that its references lead to, and stays with what was read then", async () => {
    const members = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`S${index}`, { $ref: `s${index}.json` }])
    )
    const file = (next: string) => text(JSON.stringify({ a: { $ref: next } }), 3.5)
    const { search } = await searchFrom('<a href="/openapi.json">OpenAPI</a>', {
      "/openapi.json": JSON.stringify(openapi({ paths: { "/a": { get: OK } }, components: { schemas: members } })),
      "/s0.json": file("t0.json"),
      "/t0.json": file("u0.json"),
      "/u0.json": file("v0.json"),
      "/v0.json": file("w0.json")
    })
    // 3.5, 7 and 10.5 MB: a fourth round would take the sum beyond 24.
    expect(search.best?.spec.files).toBe(4)
    expect(search.best?.spec.validity.errorCount).toBe(7)
  })

  test.each(["timed_out", "out_of_memory"] as const)(
    "is all used up by one of which the reader was ended (%s)",
    async (reason) => {
      const { read, reader } = noting((url) => (url === "/b/openapi.json" ? reason : "not_a_description"))
      const { search } = await searchFrom(
        LINKS,
        { "/a/openapi.json": "{}", "/b/openapi.json": "{}", "/c/openapi.json": "{}", "/openapi.json": "{}" },
        {},
        reader
      )
      expect(read).toEqual(["/a/openapi.json", "/b/openapi.json"])
      expect(
        search.candidates
          .filter(({ spec }) => spec?._tag === "Unparsed" && spec.reason === "not_read")
          .map(({ url }) => url)
      ).toEqual([`${ORIGIN}/c/openapi.json`, `${ORIGIN}/openapi.json`])
    }
  )

  test("leaves a description undecided if an announced one, or a guess that could be better, was not read", async () => {
    const asyncApi = JSON.stringify({
      asyncapi: "3.0.0",
      info: { title: "T", version: "1" },
      channels: { c: {} },
      operations: { o: { action: "send", channel: { $ref: "#/channels/c" } } }
    })
    const announced = await searchFrom(LINKS, {
      "/a/openapi.json": text(DESCRIPTION, 13),
      "/b/openapi.json": text(DESCRIPTION, 13)
    })
    expect([announced.search.best?.url, announced.search.unobtainable?.asked.url]).toEqual([
      `${ORIGIN}/a/openapi.json`,
      `${ORIGIN}/b/openapi.json`
    ])
    const guessed = await searchFrom("<p>Nothing</p>", {
      "/openapi.json": text(asyncApi, 13),
      "/swagger.json": text(DESCRIPTION, 13)
    })
    expect([guessed.search.best?.spec.format, guessed.search.unobtainable?.asked.url]).toEqual([
      "asyncapi",
      `${ORIGIN}/swagger.json`
    ])
    const settled = await searchFrom("<p>Nothing</p>", {
      "/openapi.json": text(DESCRIPTION, 13),
      "/swagger.json": text(DESCRIPTION, 13)
    })
    expect([settled.search.best?.url, settled.search.unobtainable]).toEqual([`${ORIGIN}/openapi.json`, null])
  })
})
