import * as fc from "fast-check"
import { unzipSync } from "fflate"
import { describe, expect, test } from "vitest"
import { outputFiles } from "../../engine/fix/plan/OutputFiles.ts"
import { zipOf } from "../../engine/process/FixWork.ts"
import { filePathOf } from "../../engine/fix/site/GeneratedFile.ts"
import type { Fixes } from "../../engine/fix/WriteFixes.ts"
import { hostileUrl } from "./HostileTexts.ts"

const ORIGIN = "https://docs.example.com"

/** What is written for these pages: a Markdown version each, where the URL has a path, and a snippet. */
const fixesOf = (urls: ReadonlyArray<string>): Fixes => ({
  files: [
    ...new Map(
      urls.flatMap((url) => {
        const path = filePathOf(url)
        return path === null
          ? []
          : [[path, { path, url, plugins: ["b1-markdown-twins"], text: "# Page\n", completes: null }] as const]
      })
    ).values()
  ],
  heads: urls.map((url) => ({ url, plugins: ["a5-entry-points"], text: "<link>\n" })),
  configuration: [],
  redirects: [],
  rules: null,
  configures: [],
  unwritten: []
})

const noIds = () => []

const entriesOf = (urls: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(unzipSync(zipOf(outputFiles(fixesOf(urls), noIds))))

/** URLs whose names are about as long as a name or a path may be. */
const longUrl = fc.oneof(
  fc.integer({ min: 60, max: 68 }).map((length) => `${ORIGIN}/${encodeURIComponent("文".repeat(length))}`),
  fc.integer({ min: 190, max: 205 }).map((length) => `${ORIGIN}/${"a".repeat(length)}`),
  fc.integer({ min: 960, max: 1_005 }).map((length) => `${ORIGIN}/${"a/".repeat(length).slice(0, length - 1)}b`),
  fc
    .constantFrom("by-number/page-1.html", "by-number/page-2.html", "By-Number", "by-number/")
    .map((path) => `${ORIGIN}/${path}`)
)

describe("pages with names of any kind", () => {
  test("a last segment of 66 Chinese characters gets a snippet by number, and its file is in the zip", () => {
    const url = `${ORIGIN}/${encodeURIComponent("文".repeat(66))}`
    expect(entriesOf([url])).toEqual([
      "docgauge-fix/head/by-number/page-1.html",
      `docgauge-fix/site/${"文".repeat(66)}`
    ])
  })

  test("never fail the zip, which has every file of the plan and a snippet for each page", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostileUrl, longUrl), { minLength: 1, maxLength: 6 }), (urls) => {
        const fixes = fixesOf(urls)
        const entries = entriesOf(urls)
        expect(entries).toHaveLength(fixes.files.length + urls.length)
        expect([...entries].sort()).toEqual(
          outputFiles(fixes, noIds)
            .map(({ path }) => `docgauge-fix/${path}`)
            .sort()
        )
      }),
      { numRuns: 500 }
    )
  })
})
