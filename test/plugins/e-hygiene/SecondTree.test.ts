import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { criterionEntryOf, runCriterion } from "../../../engine/testing/CriterionRun.ts"
import { FAKE_HOST, type FakeSite } from "../../../engine/testing/FakeSite.ts"
import { e3StableAddresses } from "../../../plugins/e-hygiene/e3-stable-addresses.ts"
import { page } from "./Handbook.ts"

const TREE = ["install", "usage", "limits"]

type Head = (folder: string, name: string) => string

/** Two folders of the same pages, the first of which is audited, both in the sitemap. */
const twice = (folders: readonly [string, string], head: Head = () => "", names = TREE): FakeSite => {
  const urls = folders.flatMap((folder) => names.map((name) => ({ folder, name, path: `${folder}/${name}/` })))
  return {
    "/": { redirect: `${folders[0]}/` },
    [`${folders[0]}/`]: page("start"),
    ...Object.fromEntries(urls.map(({ folder, name, path }) => [path, page(name, { head: head(folder, name) })])),
    "/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map(({ path }) => `<url><loc>${FAKE_HOST}${path}</loc></url>`).join("")}</urlset>`
  }
}

const canonicalTo = (path: string): string => `<link rel="canonical" href="${FAKE_HOST}${path}/">`

/** What E3 says of a second tree. */
const saidOf = async (site: FakeSite): Promise<ReadonlyArray<string>> => {
  const { id, params } = criterionEntryOf(e3StableAddresses)
  const { findings } = await Effect.runPromise(runCriterion(e3StableAddresses, id, params, { site }))
  return findings.filter(({ message }) => message.includes("public twice")).map(({ message }) => message)
}

const SAID = [
  "3 pages of the documentation are public twice, such as /latest/install/ and /1.4/install/: neither names the other as its canonical URL or is noindex, so agents can't tell which one counts. This costs no points."
]

describe("a second tree of the documentation in the sitemap", () => {
  it("is told of where no page says which of the two counts", async () => {
    expect(await saidOf(twice(["/latest", "/1.4"]))).toEqual(SAID)
  })

  it("is told of where each page names itself as its canonical URL", async () => {
    expect(await saidOf(twice(["/latest", "/1.4"], (folder, name) => canonicalTo(`${folder}/${name}`)))).toEqual(SAID)
  })

  it("is told of where the canonical URLs are in a third one, another for each page", async () => {
    const third: Head = (folder, name) => canonicalTo(`/3.0${folder}/${name}`)
    expect(await saidOf(twice(["/latest", "/1.4"], third))).toEqual(SAID)
  })

  it("is not told of where the older pages name the newest as their canonical URLs", async () => {
    expect(await saidOf(twice(["/latest", "/1.4"], (_, name) => canonicalTo(`/latest/${name}`)))).toEqual([])
  })

  it("is not told of where the older pages are not to be indexed", async () => {
    const hidden: Head = (folder) => (folder === "/1.4" ? '<meta name="robots" content="noindex">' : "")
    expect(await saidOf(twice(["/latest", "/1.4"], hidden))).toEqual([])
  })

  it("is not told of where both may be versions in force, or too few pages are in both", async () => {
    expect(await saidOf(twice(["/v2", "/v1"]))).toEqual([])
    expect(await saidOf(twice(["/latest", "/1.4"], () => "", ["install", "usage"]))).toEqual([])
  })

  it("is not told of where the pages are about something else", async () => {
    const others = Object.fromEntries(TREE.map((name) => [`/1.4/${name}/`, page(`another ${name}`)]))
    expect(await saidOf({ ...twice(["/latest", "/1.4"]), ...others })).toEqual([])
  })
})
