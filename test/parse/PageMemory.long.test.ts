import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { describe, expect, test } from "vitest"
import { PAGE_PARSER } from "../../engine/parse/ParserPool.ts"
import { answerOf } from "../site/FakeContext.ts"

/** Of the heap of a thread that reads one page: a good half of what it has in an audit. */
const OLD_GENERATION_MB = 56

const BYTES = 2 * 1024 * 1024

const SENTENCE = "Words that explain how the service is used, and what it does for people who build on it. "

const longAs = (piece: string): string => piece.repeat(Math.ceil(BYTES / piece.length)).slice(0, BYTES)

describe("a page of 2 MB is read in 56 MB of heap, without a copy of its text for each character,", () => {
  test.each([
    ["one word", longAs("a")],
    ["one comment", `<!--${longAs("a")}`],
    ["one attribute", `<p title="${longAs("a")}">`],
    ["one paragraph", `<p>${longAs(SENTENCE)}`],
    ["paragraphs", longAs(`<p>${SENTENCE}</p>\n`)],
    ["links with long URLs", longAs(`<a href="/guide/${"start/".repeat(20)}">Start</a> `)]
  ])("if it is %s", async (_, html) => {
    const worker = new Worker(PAGE_PARSER.entry, {
      resourceLimits: { ...PAGE_PARSER.limits, maxOldGenerationSizeMb: OLD_GENERATION_MB }
    })
    try {
      const read = once(worker, "message")
      worker.postMessage({ wants: "page", answer: answerOf("https://docs.example.com/", html) })
      expect(await read).toMatchObject([{ page: { url: "https://docs.example.com/", format: "html" } }])
    } finally {
      await worker.terminate()
    }
  })
})
