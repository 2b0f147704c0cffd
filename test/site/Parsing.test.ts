import { afterAll, describe, expect, test } from "vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import type { SpecInput } from "../../engine/site/ApiSpec.ts"
import { Parsing } from "../../engine/site/Parsing.ts"
import { startPageReader } from "../../engine/site/ReaderThreads.ts"
import { answerOf } from "./FakeGathering.ts"
import { file, OK, openapi } from "./spec/ReadFixture.ts"

const runtime = ManagedRuntime.make(Parsing.layer)
afterAll(() => runtime.dispose())

const input = (content: Parameters<typeof file>[0]): SpecInput => ({ document: file(content), others: [], absent: [], limits: defaultLimits })
const small = input(openapi({ paths: { "/orders": { get: OK } } }))

const spec = (given: SpecInput) => runtime.runPromise(Effect.flatMap(Parsing, ({ spec: read }) => read(given)))
const page = (html: string) => runtime.runPromise(Effect.flatMap(Parsing, ({ page: read }) => read({ answer: answerOf("https://docs.example.com/", html) })))

/** So many schemas that reading them takes a while. */
const large = (schemas: number) =>
  input(openapi({
    components: {
      schemas: Object.fromEntries(Array.from({ length: schemas }, (_, index) => [`S${index}`, {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 20 }, (__, at) => [`p${at}`, { type: "string", description: `Property ${at} of schema ${index}` }]))
      }]))
    }
  }))

describe("in workers", () => {
  test("a description and a page are as on the main thread", async () => {
    const inline = await Effect.runPromise(Effect.provide(Effect.flatMap(Parsing, (parsing) => parsing.spec(small)), Parsing.layerInline))
    expect(await spec(small)).toEqual(inline)
    expect(await page("<title>Orders</title><main><h1>Orders</h1></main>")).toMatchObject({ title: "Orders", url: "https://docs.example.com/" })
  })

  test("the asker keeps the bytes", async () => {
    await spec(small)
    expect(small.document.bytes.byteLength).toBeGreaterThan(0)
    const answer = answerOf("https://docs.example.com/", "<title>Kept</title>")
    const read = await runtime.runPromise(Effect.flatMap(Parsing, (parsing) => parsing.page({ answer })))
    expect(read.answer).toBe(answer)
    expect(answer.body.byteLength).toBeGreaterThan(0)
  })

  test("many at once come back to whoever asked", async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `Page ${index}`)
    const pages = await Promise.all(titles.map((title) => page(`<title>${title}</title>`)))
    expect(pages.map(({ title }) => title)).toEqual(titles)
  })

  test("one that takes more memory than there is comes back as data, and the next is read", async () => {
    // Each `{}` takes three bytes of text and fifty of memory.
    const hungry = input(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"x":[${"{},".repeat(6_500_000)}{}]}`)
    const read = await spec(hungry)
    expect(read).toMatchObject({ _tag: "Unparsed", reason: "out_of_memory" })
    expect((await spec(small))._tag).toBe("ApiDescription")
  }, 60_000)

  test("an interrupted asker frees the worker", async () => {
    const fiber = runtime.runFork(Effect.flatMap(Parsing, (parsing) => parsing.spec(large(20_000))))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect((await spec(small))._tag).toBe("ApiDescription")
  })

  test("the main thread stays free meanwhile, and gets facts, not the document", async () => {
    const given = large(8_000)
    const delays: Array<number> = []
    let last = performance.now()
    const timer = setInterval(() => {
      delays.push(performance.now() - last - 5)
      last = performance.now()
    }, 5)
    const read = await spec(given)
    clearInterval(timer)
    expect(JSON.stringify(read).length).toBeLessThan(10_000)
    expect(delays.toSorted((one, other) => one - other).at(Math.floor(delays.length * 0.99) - 1)).toBeLessThan(50)
  }, 60_000)

  test("a thread that was started before, and has ended since, is started anew", async () => {
    const thread = startPageReader()
    await thread.terminate()
    const other = ManagedRuntime.make(Parsing.layerWith(thread))
    const begun = performance.now()
    const { title } = await other.runPromise(Effect.flatMap(Parsing, (parsing) => parsing.page({ answer: answerOf("https://docs.example.com/", "<title>Read</title>") })))
    expect([title, performance.now() - begun < 9_000]).toEqual(["Read", true])
    await other.dispose()
  })

  test("the workers end with the scope", async () => {
    const other = ManagedRuntime.make(Parsing.layer)
    await other.runPromise(Effect.flatMap(Parsing, (parsing) => parsing.spec(small)))
    await other.dispose()
    await expect(other.runPromise(Effect.flatMap(Parsing, (parsing) => parsing.spec(small)))).rejects.toThrow("disposed")
  })
})
