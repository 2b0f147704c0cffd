import { expect, test } from "vitest"
import { sourceLine } from "../../../cli/drift/DriftOutcome.ts"
import type { DriftFinding } from "../../../engine/drift/Drift.ts"

const FINDING: DriftFinding = {
  kind: "call",
  reason: "unknown_parameter",
  message: "",
  page: { url: "https://docs.crate-depot.example/crates", line: 9 },
  description: null,
  found: "shelve",
  expected: "",
  call: "GET /crates"
}

const LINES = [
  "# Crates",
  "GET /crates lists them.",
  ...Array.from({ length: 30 }, () => ""),
  "curl /v1/crates \\",
  "  -d shelve=a1"
]

test("The line of a finding has the path of its call, with what is false soon after it, or else the path alone", () => {
  expect(sourceLine(LINES, FINDING)).toBe(33)
  expect(sourceLine(LINES, { ...FINDING, found: "colour" })).toBe(2)
  expect(sourceLine(LINES, { ...FINDING, call: "GET /depots" })).toBeNull()
  expect(sourceLine([], FINDING)).toBeNull()
  expect(sourceLine(LINES, { ...FINDING, call: "GET /" })).toBeNull()
})
