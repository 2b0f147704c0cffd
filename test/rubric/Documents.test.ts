import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { criteriaDocuments, strayPages } from "../../scripts/documentCriteria.ts"

const ROOT = resolve(import.meta.dirname, "..", "..")

// Where this fails: npm run generated, or, for these alone, npm run docs:criteria
describe("documents that are made from the rubric", async () => {
  const documents = await criteriaDocuments()

  it.each([...documents])("%s is up to date (renew it with `npm run docs:criteria`)", (path, text) => {
    expect(existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "missing").toBe(text)
  })

  it("has no page of a criterion that is gone", () => expect(strayPages(documents)).toEqual([]))

  it("names no condition that there are no words for", () => {
    const levels = [...documents.values()].map((text) => /^## Levels$([^]*)^## What to do$/mu.exec(text)?.[1] ?? "")
    expect(levels.join("\n")).not.toContain("facts.")
  })
})
