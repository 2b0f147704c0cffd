import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { measuredRun } from "../cli/MeasuredRun.ts"
import { hostileArchives } from "./archives.ts"
import { Turns } from "./Turns.ts"

/** What is linear takes a few seconds of it, on a busy machine too; what is not takes hours. */
const LONGEST_MS = 120_000

/** As much as an audit over the network may take. */
const MOST_MEGABYTES = 700

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-archives-"))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const turns = new Turns(2)

describe("a replay of a hostile archive ends", { concurrent: true }, () => {
  it.each(Object.entries(hostileArchives))("%s", (name, { bytes }) =>
    turns.take(async () => {
      const file = join(folder, `${name}.warc`)
      writeFileSync(file, bytes())
      const { code, milliseconds, peakMegabytes, stderr } = await measuredRun(["--replay", file, "--format", "json"], {
        longestMs: LONGEST_MS
      })
      console.log(
        `${name.padEnd(22)} exit ${code}  ${(milliseconds / 1_000).toFixed(1).padStart(5)} s  ${peakMegabytes} MB  ${stderr.split("\n")[0]?.slice(0, 120) ?? ""}`
      )
      expect([0, 2, 3]).toContain(code)
      // What the flags are refused for would say nothing about the archive.
      expect(stderr).not.toContain("--")
      expect(peakMegabytes ?? 0).toBeLessThan(MOST_MEGABYTES)
      expect(stderr).not.toMatch(/\bat \S+ \(|node_modules/)
    })
  )
})
