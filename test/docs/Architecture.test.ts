import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

it("docs/architecture.md names only files and folders that exist", () => {
  const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8")
  const named = [...text.matchAll(/`((?:cli|server|engine|plugins|test)\/[\w./-]*)`/gu)].map(([, path]) => path ?? "")
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
