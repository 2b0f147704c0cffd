import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8")

const namesIn = (part: string): ReadonlyArray<string> =>
  [...part.matchAll(/`((?:cli|server|engine|plugins|test)\/[\w./-]*)`/gu)].map(([, path]) => path ?? "")

/** The part under a heading of the second level that begins so. */
const partOf = (heading: string): string => text.split(/^## /mu).find((part) => part.startsWith(heading)) ?? ""

it("docs/architecture.md names only files and folders that exist", () => {
  const named = namesIn(text)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

/** The files that a part names, with their folders or without. */
const filesIn = (part: string): ReadonlySet<string> =>
  new Set([...part.matchAll(/`(?:[\w.-]+\/)*([\w.-]+\.c?ts)`/gu)].map(([, name]) => name ?? ""))

it.each([
  ["From `docgauge URL`", 25],
  ["From `POST /audit`", 35]
])("the way %s passes at most %i files", (heading, most) => {
  const files = filesIn(partOf(heading))
  expect(files.size).toBeGreaterThan(20)
  expect(files.size).toBeLessThanOrEqual(most)
})
