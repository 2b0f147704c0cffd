import { describe, expect, it } from "vitest"
import { compareFigures, type DescribedFigures, type FigureText } from "../../../engine/drift/Figures.ts"

const HOST = "https://docs.acme.dev"

/** A page whose sections are `heading: text`. */
const page = (path: string, sections: Readonly<Record<string, string>>, title = "Guide"): FigureText => ({
  url: `${HOST}${path}`,
  title,
  sections: Object.entries(sections).map(([heading, text]) => ({ heading, level: 2, anchor: null, path: [], text }))
})

const DESCRIBED: DescribedFigures = {
  title: "Acme API",
  version: "1.4.0",
  servers: [{ url: "https://api.acme.dev/v1", usable: true }]
}

const compared = (texts: ReadonlyArray<FigureText>, described: DescribedFigures | null = DESCRIBED) =>
  compareFigures(texts, described).map(({ agrees, expected, found, other, reason, text }) => ({
    reason,
    agrees,
    found,
    expected,
    at: [text.url, other?.url ?? null].map((url) => url?.replace(HOST, "") ?? null)
  }))

describe("the base URL in prose", () => {
  it("agrees with a server of the description, with and without the version and the slash", () => {
    for (const url of ["https://api.acme.dev/v1", "https://api.acme.dev/v1/", "https://api.acme.dev"])
      expect(compared([page("/start", { Requests: `Base URL\n${url}` })])).toEqual([
        { reason: "base_url", agrees: true, found: url, expected: "https://api.acme.dev/v1", at: ["/start", null] }
      ])
  })

  it.each([
    ["another version", "https://api.acme.dev/v2"],
    ["another host of the site", "https://rest.acme.dev/v1"]
  ])("is told where it has %s", (_what, url) => {
    expect(compared([page("/start", { Requests: `The base URL is ${url}.` })])).toMatchObject([
      { agrees: false, found: url }
    ])
  })

  it.each([
    ["that of a sandbox", { Sandbox: "Base URL: https://sandbox.acme.dev/v1" }],
    ["an older one", { Requests: "Until May the base URL was https://rest.acme.dev/v1" }],
    ["that of another product", { Requests: "Base URL: https://api.payments.example/v1" }],
    ["that of another API", { Requests: "Base URL: https://api.acme.dev/graphql" }],
    ["a placeholder", { Requests: "Base URL: https://{tenant}.acme.dev/v1" }],
    ["one of two", { Requests: "Base URL: https://eu1.acme.dev/v1 or base URL: https://us1.acme.dev/v1" }],
    ["named beside a server", { Requests: "Base URL: https://rest.acme.dev/v1", More: "Or https://api.acme.dev/v1" }]
  ])("says nothing where it is %s", (_what, sections) => {
    expect(compared([page("/start", sections)])).toEqual([])
  })

  it("says nothing of several pages that name several", () => {
    expect(
      compared([
        page("/a", { Requests: "Base URL: https://rest.acme.dev/v1" }),
        page("/b", { Requests: "Base URL: https://data.acme.dev/v1" })
      ])
    ).toEqual([])
  })

  it("says nothing without a server that can be used", () => {
    const servers = [{ url: "http://localhost:8080", usable: false }]
    expect(
      compared([page("/a", { Requests: "Base URL: https://rest.acme.dev/v1" })], { ...DESCRIBED, servers })
    ).toEqual([])
  })
})

describe("the version of the description", () => {
  const changelog = (...versions: ReadonlyArray<string>): FigureText =>
    page("/changelog", Object.fromEntries(versions.map((one) => [one, "Orders have notes."])), "API changelog")

  it("agrees with the newest release of the API's changelog", () => {
    expect(compared([changelog("1.4.0 (2026-05-01)", "1.3.0")])).toMatchObject([{ reason: "version", agrees: true }])
  })

  it("is told where the changelog has it as an older release", () => {
    expect(compared([changelog("v1.6.0", "v1.5.0", "v1.4.0")])).toEqual([
      { reason: "version", agrees: false, found: "1.6.0", expected: "1.4.0", at: ["/changelog", null] }
    ])
  })

  it.each([
    ["releases have other numbers", changelog("3.1.0", "3.0.0")],
    ["the newest is not released yet", changelog("1.6.0 (unreleased)", "1.4.0")],
    ["releases have no order", changelog("1.4.0", "1.6.0")],
    ["it is that of a library", page("/sdk/changelog", { "1.6.0": "New.", "1.4.0": "Old." }, "SDK changelog")]
  ])("says nothing where %s", (_what, text) => {
    expect(compared([text]).filter(({ agrees }) => !agrees)).toEqual([])
  })
})

describe("the rate limit of two pages", () => {
  it("is told where they differ, with both places", () => {
    expect(
      compared([
        page("/limits", { "Rate limits": "You may send 1,000 requests per hour." }),
        page("/faq", { "Rate limiting": "There is a limit of 600 requests per hour." })
      ])
    ).toEqual([
      {
        reason: "rate_limit",
        agrees: false,
        found: "600 requests per hour",
        expected: "1,000 requests per hour",
        at: ["/faq", "/limits"]
      }
    ])
  })

  it("agrees however the number is written", () => {
    expect(
      compared([
        page("/limits", { "Rate limits": "You may send 1,000 requests per hour." }),
        page("/faq", { "Rate limits": "At most 1000 requests an hour." })
      ])
    ).toMatchObject([{ reason: "rate_limit", agrees: true }])
  })

  it.each([
    ["it is of a plan", "Free plan: 600 requests per hour."],
    ["it is of some calls", "The search endpoint takes 600 requests per hour."],
    ["it is of another unit", "At most 10 requests per second."],
    ["there are several", "At most 600 requests per hour, or 700 requests per hour with a permit."]
  ])("says nothing where %s", (_what, text) => {
    expect(
      compared([
        page("/limits", { "Rate limits": "You may send 1,000 requests per hour." }),
        page("/faq", { "Rate limits": text })
      ])
    ).toEqual([])
  })
})
