import { once } from "node:events"
import { createServer, type Server } from "node:http"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Norm } from "../../../scripts/norms/Norms.ts"
import type { ReleaseHosts } from "../../../scripts/norms/AskReleases.ts"
import { normLines, type NormState, normStates } from "../../../scripts/norms/NormReport.ts"

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/repos/o/spec/tags?per_page=100": [{ name: "3.3.0-rc1" }, { name: "3.2.0" }, { name: "3.10.0" }],
  "/repos/o/names/tags?per_page=100": [{ name: "latest" }],
  "/repos/o/text/commits?path=a%2Fb.md&per_page=1": [{ commit: { committer: { date: "2026-09-01T10:00:00Z" } } }],
  "/repos/o/gone/commits?path=c.md&per_page=1": [],
  "/@scope/schema/latest": { version: "2.1.0" },
  "/rfc/rfc6750.json": { obsoleted_by: [], updated_by: ["RFC8996", "RFC 9700"] },
  "/rfc/rfc7231.json": { obsoleted_by: ["RFC9110"], updated_by: [] },
  "/api/v1/doc/document/draft-one/?format=json": { rev: "11", rfc: null },
  "/api/v1/doc/document/draft-two/?format=json": { rev: "12", rfc: 9999 },
  "/rfc/rfc1.json": { obsoleted_by: "no list" },
  "/rfc/rfc2.json": "x".repeat(5_000_000)
}

let server: Server
let hosts: ReleaseHosts
const asked: Array<string> = []

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    asked.push(url)
    const answer = ANSWERS[url]
    response.statusCode = answer === undefined ? 503 : 200
    response.end(JSON.stringify(answer ?? {}))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  hosts = { github: origin, npm: origin, rfcEditor: origin, datatracker: origin }
})
afterAll(() => server.close())

const stateOf = async (norm: Partial<Norm>): Promise<NormState> => {
  const whole = { id: "one", title: "One", url: "https://example.com/", checked: "2026-11-01", criteria: [], ...norm }
  const [state] = await Effect.runPromise(normStates({ format: 1, norms: [whole], guides: [] }, hosts, "2026-11-28"))
  if (state === undefined) throw new Error("there is no state")
  return state
}

const older = (...reasons: ReadonlyArray<string>): NormState => ({ id: "one", older: reasons, notAsked: null })

describe("whether a norm is older than its newest release", () => {
  it.each<[string, Partial<Norm>, NormState]>([
    ["a tag with a higher number", { version: "3.2.0", releases: "github:o/spec" }, older("3.10.0 is released")],
    ["no tag but its own", { version: "3.10.0", releases: "github:o/spec" }, older()],
    [
      "a text that was changed since",
      { date: "2026-08-10", releases: "github:o/text:a/b.md" },
      older("its text was changed on 2026-09-01")
    ],
    ["a text that was not changed since", { date: "2026-09-01", releases: "github:o/text:a/b.md" }, older()],
    ["a text of the same month", { date: "2026-09", releases: "github:o/text:a/b.md" }, older()],
    ["a newer package", { version: "2.0.9", releases: "npm:@scope/schema" }, older("2.1.0 is released")],
    ["an RFC that updates it", { releases: "rfc:6750", updates: ["8996"] }, older("RFC 9700 updates it")],
    ["updates that were read", { releases: "rfc:6750", updates: ["8996", "9700"] }, older()],
    ["an RFC that obsoletes it", { releases: "rfc:7231" }, older("RFC 9110 obsoletes it")],
    ["a later draft", { version: "draft-10", releases: "draft:draft-one" }, older("draft-11 is released")],
    [
      "a draft that became an RFC",
      { version: "draft-12", releases: "draft:draft-two" },
      older("RFC 9999 was published of it")
    ],
    ["no releases", { version: "1" }, older()]
  ])("is told by %s", async (_, norm, state) => {
    expect(await stateOf(norm)).toEqual(state)
  })

  it("is told by the version that the criteria do not follow yet, which is not told twice", async () => {
    const due = { version: "3.10.0", date: "2026-08-10" }
    expect(await stateOf({ version: "3.2.0", due, releases: "github:o/spec" })).toEqual(
      older("3.10.0 of 2026-08-10 is due; the criteria judge by 3.2.0")
    )
  })

  it("is told by a check of more than 90 days ago", async () => {
    expect(await stateOf({ checked: "2026-08-30" })).toEqual(older())
    expect(await stateOf({ checked: "2026-08-29" })).toEqual(older("last checked 91 days ago, on 2026-08-29"))
  })

  it.each<[string, Partial<Norm>, string]>([
    ["answers with an error", { releases: "rfc:404" }, "/rfc/rfc404.json: answered 503"],
    ["answers with something else", { releases: "rfc:1" }, "/rfc/rfc1.json: "],
    ["answers with too much", { releases: "rfc:2" }, "more than 4000000 bytes"],
    ["has only names that are no versions", { version: "1.0", releases: "github:o/names" }, "names no version"],
    ["does not know the file", { date: "2026-08-10", releases: "github:o/gone:c.md" }, "knows no change of it"],
    [
      "has a version that cannot be compared",
      { version: "wild", releases: "github:o/spec" },
      "cannot be compared with wild"
    ]
  ])("is not known where the source %s", async (_, norm, message) => {
    const state = await stateOf(norm)
    expect(state.older).toEqual([])
    expect(state.notAsked).toContain(message)
  })

  it("is not known where no server listens", async () => {
    const nowhere = { ...hosts, rfcEditor: "http://127.0.0.1:1" }
    const norm = { id: "one", title: "One", url: "https://example.com/", checked: "2026-11-01", criteria: [] }
    const book = { format: 1 as const, norms: [{ ...norm, releases: "rfc:1" }], guides: [] }
    const [state] = await Effect.runPromise(normStates(book, nowhere, "2026-11-28"))
    expect(state?.notAsked).toContain("http://127.0.0.1:1/rfc/rfc1.json")
  })

  it("asks one URL of a norm with releases and none of another", async () => {
    asked.length = 0
    await stateOf({ releases: "rfc:7231" })
    await stateOf({ version: "1" })
    expect(asked).toEqual(["/rfc/rfc7231.json"])
  })
})

describe("the lines of npm run norms", () => {
  it("name what is older, then what could not be asked, then how many norms there are", () => {
    expect(
      normLines([
        { id: "a", older: [], notAsked: "no answer" },
        { id: "b", older: ["2 is released", "last checked 91 days ago, on 2026-08-29"], notAsked: null },
        { id: "c", older: [], notAsked: null }
      ])
    ).toEqual([
      "b: 2 is released",
      "b: last checked 91 days ago, on 2026-08-29",
      "a: could not be asked: no answer",
      "3 norms: 1 to look at, 1 that could not be asked."
    ])
  })
})
