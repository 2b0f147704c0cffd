import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { criterionEntryOf, runCriterion } from "../../../engine/testing/CriterionRun.ts"
import type { FakeAnswer } from "../../../engine/testing/FakeSite.ts"
import { e3StableAddresses } from "../../../plugins/e-hygiene/e3-stable-addresses.ts"
import { handbook, page } from "./Handbook.ts"

const SELECTOR = `<select name="version"><option value="/">3.0</option><option value="/two/">2.0</option><option value="/one/">1.0</option></select>`

/** Whether the pages count as versioned, and which links of their selector were asked for. */
const selected = async (answers: Readonly<Record<"/two/" | "/one/", FakeAnswer>>) => {
  const asked: Array<string> = []
  const noted = (path: "/two/" | "/one/") => (): FakeAnswer => {
    asked.push(path)
    return answers[path]
  }
  const entry = criterionEntryOf(e3StableAddresses)
  const site = handbook({ "/two/": noted("/two/"), "/one/": noted("/one/") }, (path) => page(path, { more: SELECTOR }))
  const { facts } = await Effect.runPromise(runCriterion(e3StableAddresses, entry.id, entry.params, { site }))
  return { versioned: facts?.versioned, asked }
}

describe("the links of a version selector", () => {
  it("are asked for until one resolves, the first first", async () => {
    expect(await selected({ "/two/": page("/two/"), "/one/": page("/one/") })).toEqual({
      versioned: true,
      asked: ["/two/"]
    })
  })

  it("are asked for further where one is dead or missing", async () => {
    for (const first of [{ status: 404 }, { status: 503 }]) {
      expect(await selected({ "/two/": first, "/one/": page("/one/") })).toEqual({
        versioned: true,
        asked: ["/two/", "/one/"]
      })
    }
  })
})

describe("a version in the path", () => {
  it.each([
    ["a folder", "/v2/orders/", true],
    ["the page itself", "/v2.html", true],
    ["no page", "/orders.html", false]
  ])("is named by %s", async (_, path, versioned) => {
    const entry = criterionEntryOf(e3StableAddresses)
    const site = {
      "/": `<h1>Orders</h1><p>${"All about orders. ".repeat(20)}</p><a href="${path}">More</a>`,
      [path]: page(path)
    }
    const { facts } = await Effect.runPromise(runCriterion(e3StableAddresses, entry.id, entry.params, { site }))
    expect(facts?.versioned).toBe(versioned)
  })
})
