import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { runCli } from "./RunCli.ts"
import { runHere } from "./RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-build-"))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, "index.html"),
  `<!doctype html><html lang="en"><title>Orders API</title><main><h1>Orders API</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}</main></html>`
)

describe("docgauge FOLDER --as URL", () => {
  test("audits the folder as the published site and says what was not checked", async () => {
    const { code, stdout } = await runCli([folder, "--as", "https://docs.example.com", "--format", "json"])
    const report = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(report).toMatchObject({
      base_url: "https://docs.example.com",
      reliability: { flags: expect.arrayContaining(["folder"]) }
    })
    expect(report.criteria.find(({ id }: { readonly id: string }) => id === "B2")).toMatchObject({
      status: "inconclusive",
      summary: "Not checked: a folder does not show how a server answers. Audit the published site to check this."
    })
  })

  test("says of a folder that has the audited path itself how to audit that path", async () => {
    const site = join(folder, "site")
    mkdirSync(join(site, "docs"), { recursive: true })
    copyFileSync(join(folder, "index.html"), join(site, "index.html"))
    const { code, stderr } = await runHere([site, "--as", "https://example.com/docs/"])
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      0,
      expect.stringContaining(
        `${site} is read as what is published at https://example.com/docs, though it has a folder of that path itself. If that is what you mean: ${join(site, "docs")} --as https://example.com/docs`
      )
    ])
    const plain = await runHere([site, "--as", "https://example.com/other"])
    expect(plain.stderr).not.toContain("is read as")
  })

  test.each([
    [["-v"], false],
    [["-vv"], true],
    [["--verbose", "-v"], true]
  ])("shows the requests and responses with -v given twice: %j", async (flags, shown) => {
    const { code, stdout } = await runHere([folder, "--as", "https://docs.example.com", "--quiet", ...flags])
    expect([code, stdout.includes("Other criteria"), stdout.includes("Requests and responses")]).toEqual([
      0,
      !shown,
      shown
    ])
  })

  test.each([
    [
      [folder],
      `${folder} is a folder. Say where it will be published: docgauge ${folder} --as https://docs.example.com`
    ],
    [["--as", "https://docs.example.com"], "--as needs the folder to audit"],
    [[join(folder, "none"), "--as", "https://docs.example.com"], "there is no such folder"],
    [[folder, "--as", "docs"], "docs cannot be audited"],
    [
      [folder, "--as", "https://docs.example.com", "--record", "a.warc.gz"],
      "--as audits a folder, so --record cannot be used with it"
    ]
  ])("refuses %j with a clear error", async (args, message) => {
    const { code, stderr } = await runHere(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
