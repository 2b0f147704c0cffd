import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { auditedUrl, firstOf, leftOutNotice } from "../../../cli/audit/AuditedUrl.ts"

const urlOf = (text: string): Promise<string> =>
  Effect.runPromise(auditedUrl({ allowHttp: true, allowPrivate: true, url: Option.some(text) }))

describe("a URL without a scheme", () => {
  it.each([
    ["localhost:3000", "http://localhost:3000"],
    ["docs.localhost:3000/guide", "http://docs.localhost:3000/guide"],
    ["127.0.0.1:8080/docs", "http://127.0.0.1:8080/docs"],
    ["[::1]:8080", "http://[::1]:8080"],
    ["docs.example.com/guide", "https://docs.example.com/guide"],
    ["localhost.example.com", "https://localhost.example.com"]
  ])("%s is %s", async (given, url) => {
    expect(await urlOf(given)).toBe(url)
  })

  it("keeps the scheme that it has", async () => {
    expect(await urlOf("https://localhost:3000")).toBe("https://localhost:3000")
  })
})

describe("query and fragment of a URL", () => {
  it.each([
    ["https://docs.dev/a?b=1#c", "?b=1 is sent for the first page only, and #c is left out."],
    ["docs.dev?b=1", "?b=1 is sent for the first page only."],
    ["docs.dev#c", "#c is left out."]
  ])("of %s are told", async (given, told) => {
    expect(leftOutNotice(given, true)).toBe(told)
    expect(await urlOf(given)).not.toMatch(/[?#]/)
  })

  it("are sent first, or left out where another asks", () => {
    expect(firstOf("docs.dev/a/?b=1", "https://docs.dev/a")).toBe("https://docs.dev/a/?b=1")
    expect(leftOutNotice("https://docs.dev?b=1", false)).toBe("?b=1 is left out.")
    expect([firstOf("docs.dev", "https://docs.dev"), leftOutNotice("docs.dev", true)]).toEqual([undefined, undefined])
  })
})
