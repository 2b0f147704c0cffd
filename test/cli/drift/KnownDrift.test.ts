import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { freshFindings } from "../../../cli/drift/DriftOutcome.ts"
import type { DriftFinding } from "../../../engine/drift/Drift.ts"

const finding = (more: Partial<DriftFinding> = {}): DriftFinding => ({
  kind: "call",
  reason: "unknown_parameter",
  message: "/crates, line 4, sends shelve.",
  page: { url: "https://docs.crate-depot.example/crates", line: 4 },
  description: { url: "https://docs.crate-depot.example/openapi.json", pointer: "/paths/~1crates/get" },
  found: "shelve",
  expected: "shelf and limit",
  ...more
})

const some = fc.array(
  fc
    .record({ found: fc.constantFrom("", "shelve", "size"), line: fc.nat(9), expected: fc.constantFrom("a", "b") })
    .map(({ line, ...rest }) => finding({ ...rest, page: { url: "https://docs.crate-depot.example/crates", line } })),
  { maxLength: 8 }
)

describe("the findings that a baseline does not have", () => {
  it("are none of those that it has, in any order", () => {
    fc.assert(
      fc.property(some, (findings) => {
        expect(freshFindings(findings, findings.toReversed()).size).toBe(0)
        expect(freshFindings(findings, []).size).toBe(findings.length)
      })
    )
  })

  it("are as many as were added", () => {
    fc.assert(
      fc.property(some, some, (known, added) => {
        expect(freshFindings([...known, ...added], known).size).toBe(added.length)
      })
    )
  })

  it.each([
    ["its line moved", { page: { url: "https://docs.crate-depot.example/crates", line: 9 }, message: "line 9" }],
    ["a preview was read", { page: { url: "https://preview.crate-depot.example/crates", line: 4 } }],
    ["the description is a file now", { description: { url: "openapi.json", pointer: "/paths/~1crates/get" } }],
    ["the description lists other names", { expected: "shelf" }]
  ])("do not include a known one because %s", (_, change) => {
    expect(freshFindings([finding(change)], [finding()]).size).toBe(0)
  })

  it.each([
    ["another page", { page: { url: "https://docs.crate-depot.example/shelves", line: 4 } }],
    ["another operation", { description: { url: "openapi.json", pointer: "/paths/~1crates/post" } }],
    ["another value", { found: "size" }],
    ["another reason", { reason: "wrong_type" as const }]
  ])("include what is of %s", (_, change) => {
    expect(freshFindings([finding(change)], [finding()]).size).toBe(1)
  })

  it("include another missing parameter of the same call", () => {
    const missing = { reason: "missing_parameter", found: "" } as const
    expect(
      freshFindings([finding({ ...missing, expected: "depot" })], [finding({ ...missing, expected: "shelf" })]).size
    ).toBe(1)
  })
})
