import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { textLines } from "../../../cli/io/Files.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-lines-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("Lines are whole however long they are, and the last one without a line break at its end", async () => {
  const file = join(folder, "lines.txt")
  // Longer than three pieces of a stream of Node.
  const lines = ["one", "é".repeat(150_000), "", "three", "x".repeat(300_000)]
  writeFileSync(file, lines.join("\n"))
  const read: Array<string> = []
  for await (const line of textLines(file)) read.push(line)
  expect(read.map((line) => [line.length, line.slice(0, 5)])).toEqual(
    lines.map((line) => [line.length, line.slice(0, 5)])
  )
})
