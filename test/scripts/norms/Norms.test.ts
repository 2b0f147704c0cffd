import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadNorms, normCited, normsFor, versionText } from "../../../scripts/norms/Norms.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"

const ROOT = resolve(import.meta.dirname, "../../..")
const read = (path: string): Buffer => readFileSync(join(ROOT, path))

const loaded = await Effect.runPromise(loadRubric(read("rubric.yaml"), "rubric.yaml", plugins))
const criteria = [...loaded.criteria, ...loaded.experimental].map(({ definition }) => definition)
const ids = criteria.map(({ id }) => id)
const book = await Effect.runPromise(loadNorms(read("norms.yaml"), "norms.yaml", ids))

/** Numbers of the RFCs that a text names. */
const rfcsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bRFC ?(\d{4,5})\b/g)].map(([, rfc = ""]) => rfc)

describe("norms.yaml", () => {
  it("knows what each reference of the rubric cites, as a norm of that criterion or as a guide", () => {
    const unknown = criteria.flatMap(({ id, references }) =>
      references
        .filter(({ url }) => !(normCited(book, url)?.criteria.includes(id) ?? book.guides.includes(url)))
        .map(({ url }) => `${id} cites ${url}`)
    )
    expect(unknown).toEqual([])
  })

  it("knows each RFC that a criterion's text names, as a norm of that criterion", () => {
    const unknown = criteria.flatMap((criterion) => {
      const known = new Set(normsFor(book, criterion.id).map((norm) => norm.id))
      return rfcsIn(JSON.stringify(criterion))
        .filter((rfc) => !known.has(`rfc${rfc}`))
        .map((rfc) => `${criterion.id} names RFC ${rfc}`)
    })
    expect(unknown).toEqual([])
  })

  it("knows each RFC that a plugin names", () => {
    const known = new Set(book.norms.map(({ id }) => id))
    const unknown = globSync("plugins/**/*.ts", { cwd: ROOT }).flatMap((file) =>
      rfcsIn(read(file).toString())
        .filter((rfc) => !known.has(`rfc${rfc}`))
        .map((rfc) => `${file} names RFC ${rfc}`)
    )
    expect(unknown).toEqual([])
  })

  it("has no guide that nothing cites", () => {
    const cited = new Set(criteria.flatMap(({ references }) => references.map(({ url }) => url)))
    expect(book.guides.filter((url) => !cited.has(url))).toEqual([])
  })

  it("asks for each RFC by its own number", () => {
    const rfcs = book.norms.filter(({ id }) => id.startsWith("rfc"))
    expect(rfcs.map(({ releases }) => releases)).toEqual(rfcs.map(({ id }) => id.replace("rfc", "rfc:")))
  })
})

describe("a cited norm", () => {
  it("is told by its URL or one below it, and by no other that begins like it", () => {
    expect(normCited(book, "https://www.rfc-editor.org/rfc/rfc9110#section-15")?.id).toBe("rfc9110")
    expect(normCited(book, "https://html.spec.whatwg.org/multipage/sections.html#headings")?.id).toBe("html")
    expect(normCited(book, "https://www.rfc-editor.org/rfc/rfc91101")).toBe(null)
    expect(normCited(book, "https://example.com/")).toBe(null)
  })
})

describe("a version in words", () => {
  it("has its date, unless the version is that date", () => {
    expect(versionText({ version: "v2", date: "2026-08-10" })).toBe("v2 of 2026-08-10")
    expect(versionText({ version: "2026-07-28", date: "2026-07-28" })).toBe("2026-07-28")
    expect(versionText({ date: "2026-08-10" })).toBe("2026-08-10")
    expect(versionText({ version: "0.9" })).toBe("0.9")
    expect(versionText({})).toBe("")
  })
})

describe("a file of norms with mistakes", () => {
  const entry = (changes: string): string => `format: 1
norms:
  - id: one
    title: One
    url: "https://example.com/one"
    checked: "2026-11-28"
    criteria: [A1]
${changes}guides: []
`
  const problems = (text: string): Promise<string> =>
    Effect.runPromise(
      Effect.match(loadNorms(Buffer.from(text), "n.yaml", ["A1", "B1"]), {
        onFailure: ({ message }) => message,
        onSuccess: () => ""
      })
    )

  it.each([
    ["an unknown criterion", entry("").replace("[A1]", "[A1, B7]"), "n.yaml:7:20: there is no criterion B7"],
    [
      "a norm that is there twice",
      entry(entry("").slice(17).replace("guides: []\n", "")),
      "a norm named one is already in the file"
    ],
    ["a date that is none", entry('    date: "2026-13"\n'), "must be a month or a day"],
    ["a check without its day", entry("").replace('"2026-11-28"', '"2026-11"'), "must be a day"],
    ["an unknown place of releases", entry('    releases: "gitlab:one/two"\n'), "must say where releases are"],
    ["an unknown key", entry("    sweet: true\n"), 'unknown key "sweet"']
  ])("tells of %s, with its place", async (_, text, expected) => {
    const message = await problems(text)
    expect(message).toContain(expected)
    expect(message).toMatch(/n\.yaml:\d+:\d+/)
  })

  it("is none without mistakes", async () => {
    expect(await problems(entry('    date: "2026-08"\n    releases: "github:one/two:a/b.md"\n'))).toBe("")
  })
})
