import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { runCli } from "./RunCli.ts"
import { runHere } from "./RunHere.ts"

const RUBRIC = resolve(import.meta.dirname, "../../rubric.yaml")
const folder = mkdtempSync(join(tmpdir(), "docgauge-line-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A name that is refused before anything is looked up. */
const REFUSED = "docs.example.invalid"

describe("the URL", () => {
  it.each([
    [["--rubric", RUBRIC, `https://${REFUSED}`]],
    [["audit", `https://${REFUSED}`]],
    [[REFUSED]],
    [["audit", `${REFUSED}/guide`, "--format", "json"]]
  ])("is found in docgauge %j, with or without a scheme and a command", async (args) => {
    const { code, stderr } = await runHere(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${REFUSED} is not public`)])
  })

  it("is not the name of a file, which is refused with what to pass", async () => {
    writeFileSync(join(folder, "report.json"), "{}")
    const { code, stderr } = await runHere(["report.json"], { cwd: folder })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("report.json is a file. Pass the URL of a documentation site")
    ])
  })

  it("may be longer than any path", async () => {
    const { code, stderr } = await runHere(["x".repeat(5_000)])
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be audited: it is longer than 2048 characters")])
  })
})

beforeAll(() => {
  mkdirSync(join(folder, "build"))
  writeFileSync(
    join(folder, "build/index.html"),
    '<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1></main></html>'
  )
})

describe("a folder whose name is almost that of a command", () => {
  beforeAll(() => {
    mkdirSync(join(folder, "public"))
    writeFileSync(
      join(folder, "public/index.html"),
      '<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1></main></html>'
    )
  })

  it("is audited, as our own advice about a missing baseline writes it", async () => {
    const audited = await runCli(["public", "--as", "https://docs.example.com", "--format", "json", "--quiet"], {
      cwd: folder
    })
    expect([audited.code, audited.stderr, JSON.parse(audited.stdout).base_url]).toEqual([
      0,
      "",
      "https://docs.example.com"
    ])
  })

  it.each([
    [
      "is told where it would be published, if --as is missing",
      ["public"],
      "public is a folder. Say where it will be published: docgauge public --as https://docs.example.com"
    ],
    [
      "is told that it is missing, if it is",
      ["plugins", "--as=https://docs.example.com"],
      "plugins: there is no such folder"
    ]
  ])("%s", async (_, args, message) => {
    expect(await runHere(args, { cwd: folder })).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it("is a misspelt command where there is no such folder", async () => {
    expect(await runCli(["server"], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: "docgauge: unknown command server. Did you mean docgauge serve?\n"
    })
  })
})

describe("a flag that would have no effect", () => {
  it.each([
    [
      ["--max-drop", "2", REFUSED],
      "--max-drop needs the report to compare with, as in: --baseline main.json --max-drop 2"
    ],
    [
      ["--replay", "a.warc.gz", "--concurrency", "2"],
      "--replay uses no network, so --concurrency cannot be used with it."
    ],
    [
      ["--server", "https://docgauge.example", "--record", "a.warc.gz", REFUSED],
      "--server audits with the settings of the service, so --record cannot be used with it."
    ],
    [
      ["--server", "https://docgauge.example", "--canonical-origin", "https://a.example", REFUSED],
      "--server audits with the settings of the service, so --canonical-origin cannot be used with it."
    ],
    [
      [folder, "--as", "https://docs.example.com", "--allow-http"],
      "--as audits a folder, so --allow-http cannot be used with it."
    ]
  ])("is refused: %j", async (args, message) => {
    expect(await runHere(args, { cwd: folder })).toEqual({ code: 2, stdout: "", stderr: `docgauge: ${message}\n` })
  })
})

describe("a full disk", () => {
  const toFullDisk = (args: string): Promise<{ readonly code: number; readonly stderr: string }> =>
    new Promise((done) => {
      execFile(
        "/bin/sh",
        ["-c", `"${process.execPath}" "${PROGRAM}" ${args} > /dev/full`],
        { cwd: folder },
        (error, _, stderr) => done({ code: typeof error?.code === "number" ? error.code : 0, stderr })
      )
    })

  it.each([
    "--version",
    "--help",
    "serve --help",
    "criterion list",
    "build --as https://docs.example.com",
    "build --as https://docs.example.com --format json --min-score 100"
  ])("is one line and exit code 2 for docgauge %s", async (args) => {
    const { code, stderr } = await toFullDisk(args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^docgauge: cannot write the output: ENOSPC.*\n$/)])
  })
})

describe("colours", () => {
  it.each([
    ["by FORCE_COLOR in a pipe", { FORCE_COLOR: "1" }, true],
    ["not in a pipe", {}, false],
    ["not by FORCE_COLOR where TERM=dumb", { FORCE_COLOR: "1", TERM: "dumb" }, false],
    ["not by FORCE_COLOR where NO_COLOR is set", { FORCE_COLOR: "1", NO_COLOR: "1" }, false]
  ])("are printed %s", async (_, set, expected) => {
    const { FORCE_COLOR: _force, NO_COLOR: _none, TERM: _term, ...env } = process.env
    const { code, stdout } = await runHere(["build", "--as", "https://docs.example.com"], {
      cwd: folder,
      env: { ...env, ...set }
    })
    expect([code, stdout.includes("\u001b[")]).toEqual([0, expected])
  })
})

describe("completions", () => {
  it.each(["bash", "zsh", "fish", "powershell"])("for %s know commands and flags", async (shell) => {
    const { code, stdout } = await runHere(["--completions", shell])
    expect(code).toBe(0)
    for (const word of ["audit", "serve", "min-score", "canonical-origin"]) expect(stdout).toContain(word)
  })
})
