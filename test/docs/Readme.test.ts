import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

const ROOT = join(import.meta.dirname, "../..")
const README = readFileSync(join(ROOT, "README.md"), "utf8")

const { rubric } = await Effect.runPromise(loadRubric(readFileSync(join(ROOT, "rubric.yaml")), "rubric.yaml", plugins))

describe("README.md", () => {
  it("has at most 8,000 bytes", () => {
    expect(Buffer.byteLength(README)).toBeLessThanOrEqual(8_000)
  })

  it.each(["README.md", "server/docs/v1/index.md"])(
    "has the categories with the points of the rubric, and its levels: %s",
    (page) => {
      const text = readFileSync(join(ROOT, page), "utf8")
      const rows = [...text.matchAll(/^\| ([A-Z]) (.+?) \| (\d+) \| .+\? \|$/gmu)].map(([, id, title, points]) => ({
        id,
        title,
        points: Number(points)
      }))
      expect(rows).toEqual(rubric.categories.map(({ id, points, title }) => ({ id, title, points })))
      const levels = [...text.matchAll(/(\d+)(?: is| or more is)?\s\*([\w\s-]+)\*/gu)].map(([, from, word = ""]) => ({
        from: Number(from),
        word
      }))
      expect(levels).toEqual(rubric.verdicts.filter(({ from }) => from > 0).map(({ from, word }) => ({ from, word })))
    }
  )

  it("says in one place, which a release removes, that docgauge is not released", () => {
    const [, place = ""] = /<!-- release:begin -->\n([^]*?)<!-- release:end -->/.exec(README) ?? []
    expect(place).toContain("**Not released yet.**")
    expect(README.replace(place, "")).not.toMatch(/not (?:yet )?(?:released|on npm)|no release/i)
    const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".md")
    )
    expect(docs.filter((file) => /not (?:yet )?on npm/i.test(readFileSync(join(ROOT, "docs", file), "utf8")))).toEqual(
      []
    )
  })

  it("gives the action inputs that it has", () => {
    const [, step = ""] = /^```yaml\n([^]*?)^```$/m.exec(README) ?? []
    const [{ with: given }]: readonly [{ readonly with: Readonly<Record<string, string>> }] = parse(step)
    const { inputs }: { readonly inputs: Readonly<Record<string, unknown>> } = parse(
      readFileSync(join(ROOT, "action.yml"), "utf8")
    )
    expect(Object.keys(given).length).toBeGreaterThan(3)
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)))
  })

  it("shows pictures for light and dark, of at most 150 KB each", () => {
    const shown = [...README.matchAll(/(?:srcset|src)="([^"]+)"/g)].map(([, path = ""]) => path)
    expect(shown.toSorted()).toEqual(
      readdirSync(join(ROOT, "docs/pictures"))
        .map((file) => `docs/pictures/${file}`)
        .toSorted()
    )
    expect(shown).toHaveLength(4)
    expect(shown.filter((path) => statSync(join(ROOT, path)).size > 150_000)).toEqual([])
  })
})
