import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { flag } from "../../engine/plugin/Fact.ts"
import { criterionEntryOf } from "../../engine/testing/CriterionRun.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-rubric-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rubricWith = (plugin: string): string => {
  const file = join(folder, "rubric.yaml")
  writeFileSync(
    file,
    `format: 1
id: house-rules
version: 1.0.0
title: Does the documentation keep our house rules?
verdicts: [{ from: 0, word: Measured, meaning: It was measured. }]
categories:
  - { id: A, key: A_house, title: House rules, points: 100, why: Our own., criteria: [{
      id: A1, plugin: "${plugin}", revision: 1, title: A glossary, points: 100, params: {},
      levels: [{ status: present, earns: 100, when: facts.glossary }, { status: absent, earns: 0 }],
      why: Words., how: It is looked for., remedy: { effort: low, steps: [Write one.] }, references: [{ title: G, url: "https://rules.example.com/" }] }] }
changes: [{ version: 1.0.0, date: 2026-11-21, what: First release., criteria: all }]
`
  )
  return file
}

describe("the entry of an external plugin", () => {
  it.each(["./criteria/has-glossary.ts", "@acme/criteria#has-glossary", "/srv/has-glossary.mjs"])(
    "is found by its name: %s",
    (plugin) => {
      const entry = criterionEntryOf(
        { id: "has-glossary", facts: { glossary: flag("there is one") } },
        rubricWith(plugin)
      )
      expect([entry.id, entry.earns({ glossary: true }), entry.earns({ glossary: false })]).toEqual(["A1", 100, 0])
    }
  )

  it("is missed where the rubric names another", () => {
    const file = rubricWith("./criteria/other.ts")
    expect(() => criterionEntryOf({ id: "has-glossary", facts: { glossary: flag("there is one") } }, file)).toThrow(
      "no criterion for has-glossary"
    )
  })
})
