import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../cli/RunCli.ts"
import { goldenSites } from "../golden/GoldenSites.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "docgauge-recorded-"))
const recorded = join(folder, "recorded")

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "scripts/recordSites.ts"), "--golden-only", recorded], { stdio: "pipe" })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The steps of the review workflow that judge recorded sites by the rubric of a change. */
const rescored = async (rubric: string) => {
  const { code, stderr, stdout } = await runCli([
    "rescore",
    "--rubric",
    rubric,
    "--before",
    join(ROOT, "rubric.yaml"),
    "--synthetic",
    recorded,
    "--format",
    "markdown"
  ])
  expect([code, stderr]).toEqual([0, ""])
  return stdout
}

describe("scripts/recordSites.ts", () => {
  it("saves the report and the archive of each golden site", () => {
    const names = goldenSites.map(({ name }) => name)
    expect(readdirSync(recorded).toSorted()).toEqual(
      names.flatMap((name) => [`${name}.json`, `${name}.warc.gz`]).toSorted()
    )
    for (const name of names)
      expect(JSON.parse(readFileSync(join(recorded, `${name}.json`), "utf8"))).toMatchObject({ max_score: 100 })
  })

  it("records what the same rubric judges the same, with a table of all criteria", async () => {
    const markdown = await rescored(join(ROOT, "rubric.yaml"))
    expect(markdown).toContain(
      `**${goldenSites.length}** runs rescored: **0** rise, **0** fall, ${goldenSites.length} unchanged`
    )
    expect(markdown.match(/^\| [A-F]\d /gm)?.length).toBeGreaterThanOrEqual(30)
  })

  it("records what a stricter rubric judges lower, by the name of the criterion", async () => {
    const text = readFileSync(join(ROOT, "rubric.yaml"), "utf8")
    const stricter = join(folder, "rubric.yaml")
    expect(text).toContain("characters <= 20000")
    writeFileSync(stricter, text.replaceAll("characters <= 20000", "characters <= 5"))
    const markdown = await rescored(stricter)
    expect(markdown).toMatch(/\*\*0\*\* rise, \*\*[1-9]\d*\*\* fall/)
    expect(markdown).toMatch(/^\| A1 .*\| 0 \| [1-9]/m)
  })
})
