import process from "node:process"
import { afterAll, describe, expect, test } from "vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import type { SpecInput } from "../../engine/apispec/ApiSpec.ts"
import { LARGE_PAGE_PARSER, ParserPool, SPEC_PARSER } from "../../engine/parse/ParserPool.ts"
import { cpuMs } from "../harness/CpuTime.ts"
import { answerOf } from "../site/FakeContext.ts"
import { file, OK, openapi } from "../apispec/ReadFixture.ts"

const runtime = ManagedRuntime.make(ParserPool.layer)
afterAll(() => runtime.dispose())

const input = (content: Parameters<typeof file>[0]): SpecInput => ({
  document: file(content),
  others: [],
  absent: [],
  limits: defaultLimits
})
const small = input(openapi({ paths: { "/orders": { get: OK } } }))

const spec = (given: SpecInput) => runtime.runPromise(Effect.flatMap(ParserPool, ({ spec: read }) => read(given)))
const page = (html: string) =>
  runtime.runPromise(
    Effect.flatMap(ParserPool, ({ page: read }) => read({ answer: answerOf("https://docs.example.com/", html) }))
  )

/** Enough schemas that reading them takes a while. */
const large = (schemas: number) =>
  input(
    openapi({
      components: {
        schemas: Object.fromEntries(
          Array.from({ length: schemas }, (_, index) => [
            `S${index}`,
            {
              type: "object",
              properties: Object.fromEntries(
                Array.from({ length: 20 }, (__, at) => [
                  `p${at}`,
                  { type: "string", description: `Property ${at} of schema ${index}` }
                ])
              )
            }
          ])
        )
      }
    })
  )

describe("threads that cannot run", () => {
  test("reject with an Error that says so", async () => {
    const broken = { entry: new URL("data:text/javascript,throw 'no such export'"), limits: {} }
    const reading = Effect.flatMap(ParserPool, ({ page: read }) =>
      read({ answer: answerOf("https://docs.example.com/", "<p>A page.</p>") })
    )
    const failure: unknown = await Effect.runPromise(
      Effect.provide(reading, ParserPool.layerWith({ thread: broken, largeThread: broken }))
    ).catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).toBe(
      "Error: the threads that read pages cannot run here: the last one has crashed as it started or read"
    )
  })
})

describe("in workers", () => {
  test("a description and a page are as on the main thread", async () => {
    const inline = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(ParserPool, (parsing) => parsing.spec(small)),
        ParserPool.layerInline
      )
    )
    expect(await spec(small)).toEqual(inline)
    expect(await page("<title>Orders</title><main><h1>Orders</h1></main>")).toMatchObject({
      title: "Orders",
      url: "https://docs.example.com/"
    })
  })

  test("a page is converted to Markdown as on the main thread, alone or while it is read", async () => {
    const answer = answerOf(
      "https://docs.example.com/",
      `<!doctype html><title>Orders</title><main><h1>Orders</h1><p>${"How to place an order, and what comes back. ".repeat(5)}</p></main>`
    )
    const inline = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(ParserPool, (parsing) => parsing.markdown({ answer })),
        ParserPool.layerInline
      )
    )
    expect(inline).toMatchObject({
      _tag: "Converted",
      text: expect.stringContaining("# Orders\n\nHow to place an order")
    })
    expect(await runtime.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.markdown({ answer })))).toEqual(
      inline
    )
    const both = await runtime.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.pageAndMarkdown({ answer })))
    expect(both).toMatchObject({
      conversion: inline,
      page: { title: "Orders", answer, main: { segments: ["Orders", expect.stringContaining("How to place")] } }
    })
    expect(await runtime.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.outline({ answer })))).toEqual(
      both.page
    )
  })

  test("a page that takes too long to convert has no Markdown, and that is told", async () => {
    const converted = Effect.flatMap(ParserPool, (parsing) =>
      parsing.markdown({ answer: answerOf("https://docs.example.com/", "<!doctype html><title>Orders</title>") })
    )
    expect(await Effect.runPromise(Effect.provide(converted, ParserPool.layerWith({ milliseconds: 1 })))).toEqual({
      _tag: "NotConverted",
      reason: "timed_out"
    })
  })

  test.each([
    ["elements", "<p>Words of a page that goes on and on.</p>".repeat(60_100)],
    ["levels", `${"<div>".repeat(600)}<p>${"Words that are too deep. ".repeat(20)}</p>`]
  ])("a page with more %s than are read has no Markdown, and that is told", async (_, body) => {
    const answer = answerOf(
      "https://docs.example.com/",
      `<!doctype html><title>Orders</title><main><h1>Orders</h1><p>${"How to place an order, and what comes back. ".repeat(5)}</p>${body}</main>`
    )
    expect(await runtime.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.markdown({ answer })))).toEqual({
      _tag: "NotConverted",
      reason: "too_large"
    })
  })

  test("the caller keeps the bytes", async () => {
    await spec(small)
    expect(small.document.bytes.byteLength).toBeGreaterThan(0)
    const answer = answerOf("https://docs.example.com/", "<title>Kept</title>")
    const read = await runtime.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.page({ answer })))
    expect(read.answer).toBe(answer)
    expect(answer.body.byteLength).toBeGreaterThan(0)
  })

  test("many at once come back to their callers", async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `Page ${index}`)
    const pages = await Promise.all(titles.map((title) => page(`<title>${title}</title>`)))
    expect(pages.map(({ title }) => title)).toEqual(titles)
  })

  // Paragraphs and links: PageMemory.test.ts. More heap than the thread has would leave the first 512 KB of it.
  test.each([
    ["headings", "<h2 id=start>Start</h2>"],
    ["items", '<li class="item" id="one">One</li>'],
    ["open elements", "<i>"]
  ])("a page as long as is fetched, of nothing but %s, is read without running out of memory", async (_, piece) => {
    const { bytes } = await page(
      `<!doctype html><html lang="en"><main><h1>Long</h1>${piece.repeat(defaultLimits.pageBytes / piece.length)}</main></html>`
    )
    expect(bytes).toBeGreaterThan(0.99 * defaultLimits.pageBytes)
  })

  test("a page that takes more memory than there is is read in part, and says so", async () => {
    const small = ParserPool.layerWith({
      largeThread: { ...LARGE_PAGE_PARSER, limits: { maxOldGenerationSizeMb: 28, maxYoungGenerationSizeMb: 4 } }
    })
    const read = (html: string) =>
      Effect.runPromise(
        Effect.provide(
          Effect.flatMap(ParserPool, (parsing) =>
            parsing.page({ answer: answerOf("https://docs.example.com/", html) })
          ),
          small
        )
      )
    const beginning = "<!doctype html><title>Orders</title><main><h1>Orders</h1>"
    expect(
      await read(`${beginning}${"<p id=one class=item>Words of a page that goes on.</p>".repeat(80_000)}`)
    ).toMatchObject({ title: "Orders", textCut: true })
    expect(await read(beginning)).toMatchObject({ title: "Orders", textCut: false })
  })

  test("pages that two threads read at once come back to their callers", async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `Page ${index}`)
    const both = (title: string) =>
      Effect.flatMap(ParserPool, (parsing) =>
        parsing.pageAndMarkdown({
          answer: answerOf(
            "https://docs.example.com/",
            `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${`What ${title} says. `.repeat(20)}</p></main>`
          )
        })
      )
    const read = await Effect.runPromise(
      Effect.provide(Effect.forEach(titles, both, { concurrency: 4 }), ParserPool.layerWith({ threads: 2 }))
    )
    expect(
      read.map(({ conversion, page }) => [
        page.title,
        conversion._tag === "Converted" ? conversion.text.split("\n")[0] : null
      ])
    ).toEqual(titles.map((title) => [title, `# ${title}`]))
  })

  test("one that takes more memory than there is comes back as data, and the next is read", async () => {
    // Each `{}` takes three bytes of text and fifty of memory.
    const hungry = input(
      `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"x":[${"{},".repeat(1_600_000)}{}]}`
    )
    const tight = ParserPool.layerWith({
      specThread: { ...SPEC_PARSER, limits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 } }
    })
    const both = Effect.flatMap(ParserPool, (parsing) => Effect.all([parsing.spec(hungry), parsing.spec(small)]))
    expect(await Effect.runPromise(Effect.provide(both, tight))).toMatchObject([
      { _tag: "Unparsed", reason: "out_of_memory" },
      { _tag: "ApiDescription" }
    ])
  })

  test("an interrupted caller frees the worker", async () => {
    const fiber = runtime.runFork(Effect.flatMap(ParserPool, (parsing) => parsing.spec(large(4_000))))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect((await spec(small))._tag).toBe("ApiDescription")
  })

  test("the main thread stays free meanwhile, and gets facts, not the document", async () => {
    const given = large(4_000)
    const [before, wholeBefore] = [cpuMs(), process.cpuUsage()]
    const read = await spec(given)
    const [own, whole] = [cpuMs() - before, process.cpuUsage(wholeBefore)]
    expect(JSON.stringify(read).length).toBeLessThan(10_000)
    expect(own).toBeLessThan((whole.user + whole.system) / 1_000 / 3)
  })

  test("the workers end with the scope", async () => {
    const other = ManagedRuntime.make(ParserPool.layer)
    await other.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.spec(small)))
    await other.dispose()
    await expect(other.runPromise(Effect.flatMap(ParserPool, (parsing) => parsing.spec(small)))).rejects.toThrow(
      "disposed"
    )
  })
})
