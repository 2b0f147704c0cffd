import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sizingOf, sizingRow, sizingTable } from "../bench/simulation/Sizing.ts"

const text = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8")

it("the operator's page has the table of the simulation, which gives the same answer each time", () => {
  const [, shown = ""] = /<!-- sizing:begin -->\n(.*?)\n<!-- sizing:end -->/su.exec(text) ?? []
  const rows = shown.split("\n")
  expect(sizingTable([10_000, 100_000, 1_000_000]).split("\n")).toEqual(rows.slice(0, -1))
  // To search for the number of workers would take half a minute.
  const workers = Number(rows.at(-1)?.split("|")[4])
  expect(sizingRow(sizingOf(10_000_000, workers))).toBe(rows.at(-1))
})
