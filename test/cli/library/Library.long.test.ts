import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, describe, expect, expectTypeOf, it } from "vitest"
import { audit as auditEffect, renderReport as renderEffect } from "../../../cli/library/effect.ts"
import type { reportFormats } from "../../../cli/audit/ReportFormats.ts"
import {
  audit,
  AuditError,
  type AuditProgress,
  type AuditReport,
  type RenderFormat,
  renderReport
} from "../../../cli/library/Audit.ts"
import type { AuditReport as Decoded } from "../../../engine/audit/Report.ts"
import { httpServer } from "../../evidence/LoopbackServers.ts"
import { BUILD, PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../../harness/SmallSites.ts"

const ROOT = resolve(import.meta.dirname, "../../..")
const folder = mkdtempSync(join(tmpdir(), "docgauge-library-"))
afterAll(() => rmSync(folder, { recursive: true }))

mkdirSync(join(folder, "build"))
writeFileSync(
  join(folder, "build/index.html"),
  `<!doctype html><html lang="en"><title>Orders API</title><main><h1>Orders API</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}</main></html>`
)
const SITE = { folder: join(folder, "build") }

/** The examples of a page of the docs, in its order. */
const examples = (page: string): ReadonlyArray<string> =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = ""]) => code)

/** The address of an entry of the package's code. */
const built = (name: string): string => pathToFileURL(join(BUILD, `lib/${name}.js`)).href

const run = (
  code: string
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> => {
  const local = code
    .replace(/from "docgauge(?:\/(effect|client))?"/, (_, name = "library") => `from ${JSON.stringify(built(name))}`)
    .replaceAll(/from "(effect[^"]*)"/g, (_, name: string) => `from ${JSON.stringify(import.meta.resolve(name))}`)
  writeFileSync(join(folder, "example.mjs"), local)
  return new Promise((done) => {
    const child = execFile(process.execPath, ["example.mjs"], { cwd: folder }, (_, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr })
    )
  })
}

describe("the examples of docs/library.md", () => {
  const [first = "", progress = "", errors = "", writing = "", effect = "", client = ""] = examples("docs/library.md")

  it("run as they are, and print what they say", async () => {
    expect(await run(first)).toEqual({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^\d+ of 100, [\w -]+\n(?:[A-F]\d .*: \w+, \d of \d\n){30}(?:[A-F]\d: \+\d+\n)+$/)
    })
    expect((await run(progress)).stdout).toMatch(
      /^1 responses, 0 criteria measured\n[^]*\n\d+ responses, \d+ criteria measured\n[\w -]+\n$/
    )
    expect(await run(errors)).toEqual({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^usage ftp:\/\/docs\.example\.com cannot be audited/)
    })
    expect(await run(writing)).toEqual({ code: 0, stderr: "", stdout: expect.stringMatching(/^# \d+\/100 /) })
    expect(readFileSync(join(folder, "report.html"), "utf8")).toMatch(/^<!doctype html>/)
    expect(await run(effect)).toEqual({ code: 0, stderr: "", stdout: expect.stringMatching(/^\d+ of 100, [\w -]+\n$/) })
  })

  it("have a client that a real service answers", async () => {
    const sites = await serveSmallSites()
    const service = new ServiceProcess({
      program: PROGRAM,
      env: { ...LIMITLESS, ...sites.env, DOCGAUGE_DATABASE_URL: "memory:" }
    })
    const local = client
      .replace("https://docgauge.example", await service.url)
      .replace("https://docs.example.com", smallSite("library"))
    expect(await run(local)).toEqual({ code: 0, stderr: "", stdout: expect.stringMatching(/^\d+ of 100\n$/) })
    await service.kill()
    await sites.close()
  })
})

describe("docgauge/effect", () => {
  it("audits and renders as the promises do, and fails with what they are rejected with", async () => {
    const report = await Effect.runPromise(auditEffect("https://docs.example.com", SITE))
    expect(report).toEqual(await audit("https://docs.example.com", SITE))
    expect(await Effect.runPromise(renderEffect(report, "markdown"))).toBe(await renderReport(report, "markdown"))
    const failure = await Effect.runPromise(
      Effect.flip(auditEffect("https://docs.example.com", { ...SITE, sample: 0 }))
    )
    expect(failure).toMatchObject({
      _tag: "AuditFailed",
      reason: "usage",
      message: "sample takes a whole number from 1 to 200."
    })
  })

  it("ends the audit where it is interrupted", async () => {
    const hanging = await httpServer(() => undefined)
    const fiber = Effect.runFork(
      auditEffect(`http://127.0.0.1:${hanging.port}`, { allowHttp: true, allowPrivate: true })
    )
    await expect.poll(hanging.open, { timeout: 20_000 }).toBeGreaterThan(0)
    await Effect.runPromise(Fiber.interrupt(fiber))
    await expect.poll(hanging.open, { timeout: 20_000 }).toBe(0)
    await hanging.close()
  })
})

describe("audit", () => {
  it("resolves to the report, and tells of its progress up to the last criterion", async () => {
    const seen: Array<AuditProgress> = []
    const report = await audit("https://docs.example.com", { ...SITE, onProgress: (progress) => seen.push(progress) })
    expect(report).toMatchObject({ base_url: "https://docs.example.com", max_score: 100 })
    const last = seen.at(-1)
    expect(last?.measured).toBe(last?.criteria)
    expect(report.criteria.length).toBe(30)
    expect(JSON.parse(await renderReport(report, "json"))).toEqual({
      $schema: expect.stringMatching(/\/report\.schema\.json$/),
      ...report
    })
  })

  it("is rejected with the reason of its signal, at once and while it waits for the site", async () => {
    const hanging = await httpServer(() => undefined)
    const stop = new AbortController()
    const waiting = audit(`http://127.0.0.1:${hanging.port}`, {
      allowHttp: true,
      allowPrivate: true,
      signal: stop.signal
    })
    const stopped = waiting.catch((error: unknown) => error)
    await expect.poll(hanging.open, { timeout: 20_000 }).toBeGreaterThan(0)
    stop.abort(new Error("enough"))
    expect(await stopped).toEqual(new Error("enough"))
    await expect.poll(hanging.open, { timeout: 20_000 }).toBe(0)
    await hanging.close()
    await expect(audit("https://docs.example.com", { ...SITE, signal: stop.signal })).rejects.toThrow("enough")
  })

  it.each([
    ["a wrong URL", "https://", {}, "cannot be audited"],
    [
      "a URL that an option allows, which it names",
      "http://docs.example.com",
      {},
      "Use the https:// URL, or pass the option allowHttp."
    ],
    [
      "a number out of range",
      "https://docs.example.com",
      { ...SITE, sample: 0 },
      "sample takes a whole number from 1 to 200."
    ],
    [
      "an option that there is not",
      "https://docs.example.com",
      { ...SITE, smaple: 3 },
      "smaple is not an option. The options are folder, rubric,"
    ],
    [
      "an option without an effect",
      "https://docs.example.com",
      { ...SITE, allowHttp: true },
      "folder audits without a network, so allowHttp cannot be used with it."
    ],
    ["no folder", "https://docs.example.com", { folder: join(folder, "none") }, "there is no such folder"],
    [
      "a header of its own",
      "https://docs.example.com",
      { resolve: ["*:443:127.0.0.1:9"], headers: { "User-Agent": "x" } },
      "docgauge sends its own"
    ]
  ])("is rejected with an AuditError of usage for %s", async (_, url, options, message) => {
    const error = await audit(url, options).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(AuditError)
    expect(error).toMatchObject({ name: "AuditError", code: "usage", message: expect.stringContaining(message) })
  })

  it.each([
    ["no URL", [undefined], "The first argument must be the URL"],
    ["options that are none", ["https://docs.example.com", 5], "The second argument must be an object of options."],
    [
      "a signal that is none",
      ["https://docs.example.com", { ...SITE, signal: "x" }],
      "The option signal must be an AbortSignal."
    ],
    [
      "a callback that is none",
      ["https://docs.example.com", { ...SITE, onProgress: 3 }],
      "The option onProgress must be a function."
    ]
  ])(
    "is rejected with an AuditError of usage for %s, as only a program in JavaScript passes it",
    async (_, args, message) => {
      const error: unknown = await Promise.resolve(Reflect.apply(audit, undefined, args)).catch(
        (error: unknown) => error
      )
      expect(error).toBeInstanceOf(AuditError)
      expect(error).toMatchObject({ code: "usage", message: expect.stringContaining(message) })
    }
  )

  it("takes a URL object, and its report is written in no format that there is not", async () => {
    const report = await audit(new URL("https://docs.example.com"), SITE)
    expect(report).toMatchObject({ base_url: "https://docs.example.com" })
    const error: unknown = await Promise.resolve(Reflect.apply(renderReport, undefined, [report, "pdf"])).catch(
      (error: unknown) => error
    )
    expect(error).toMatchObject({
      code: "usage",
      message: "There is no format pdf. The formats are text, json, markdown, junit, sarif, html, github."
    })
  })

  it("is rejected with a stack that begins in the program, because Node prints that line", async () => {
    const error = await audit("https://", {}).catch((error: unknown) => error)
    expect(error).toMatchObject({
      message:
        "https:// cannot be audited: it is not an absolute URL, such as https://docs.example.com.\nPass the URL of the documentation's first page."
    })
    expect(error instanceof AuditError ? error.stack : "").not.toMatch(/library.Audit\.ts|node_modules.effect/)
    expect(error instanceof AuditError ? error.stack : "").toContain("Library.long.test.ts")
  })

  it("is rejected with not_audited if the site refuses, and sends its headers as they are given", async () => {
    const seen = new Set<string | undefined>()
    const refusing = await httpServer((request, response) => {
      seen.add(request.headers.authorization)
      response.writeHead(403).end()
    })
    const error = await audit(`http://127.0.0.1:${refusing.port}`, {
      allowHttp: true,
      allowPrivate: true,
      headers: { Authorization: "Bearer ${x}" }
    }).catch((error: unknown) => error)
    await refusing.close()
    expect(error).toMatchObject({ code: "not_audited", message: expect.stringContaining("403") })
    expect([...seen]).toEqual(["Bearer ${x}"])
  })
})

describe("the types of a report", () => {
  it("are those of the report that audits make", () => {
    expectTypeOf<Decoded>().toExtend<AuditReport>()
    expectTypeOf<keyof AuditReport>().toExtend<keyof Decoded>()
    expectTypeOf<RenderFormat>().toEqualTypeOf<keyof typeof reportFormats>()
  })
})
