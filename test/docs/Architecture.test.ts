import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8")

const namesIn = (part: string): ReadonlyArray<string> =>
  [...part.matchAll(/`((?:cli|server|engine|plugins|test)\/[\w./-]*)`/gu)].map(([, path]) => path ?? "")

it("docs/architecture.md names only files and folders that exist", () => {
  const named = namesIn(text)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
