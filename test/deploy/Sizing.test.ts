import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sizingTable } from "../bench/simulation/Sizing.ts"

const text = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8")

it("the operator's page has the table of the simulation, which gives the same answer each time", () => {
  const [, shown = ""] = /<!-- sizing:begin -->\n(.*?)\n<!-- sizing:end -->/su.exec(text) ?? []
  const rows = shown.split("\n")
  // The row for ten million takes a minute.
  expect(sizingTable([10_000, 100_000, 1_000_000]).split("\n")).toEqual(rows.slice(0, -1))
  expect(rows.at(-1)).toMatch(/^\| 10,000,000 \|/)
})
