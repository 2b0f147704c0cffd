import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { madeLog, madeRequest, type MadeRequest } from "../../logs/MadeLog.ts"
import { runHere } from "../RunHere.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-fix-logs-"))
afterAll(() => rmSync(root, { recursive: true }))

const PAGES = ["alpha", "beta", "gamma", "delta", "errors"]

mkdirSync(join(root, "build/docs"), { recursive: true })
const links = PAGES.map((name) => `<a href="/docs/${name}.html">About ${name}</a>`).join(" ")
const page = (name: string): string =>
  `<!doctype html><html lang="en"><head><title>${name} | Orders API</title></head><body><main><h1>${name}</h1>` +
  `<p>What ${name} means for an order, and what comes back when the order ${name} is accepted by the service.</p>${links}</main></body></html>`
writeFileSync(join(root, "build/index.html"), page("Start"))
for (const name of PAGES) writeFileSync(join(root, `build/docs/${name}.html`), page(name))

const request = (agent: string, path: string, status = 200): MadeRequest => madeRequest(agent, path, { status })

const times = (count: number, one: MadeRequest): ReadonlyArray<MadeRequest> => Array.from({ length: count }, () => one)

beforeAll(async () => {
  writeFileSync(
    join(root, "access.log"),
    madeLog("Caddy", [
      ...PAGES.map((name) => request("browsers", `/docs/${name}`)),
      ...times(9, request("Claude-Code", "/docs/gamma")),
      ...times(5, request("ChatGPT-User", "/docs/delta.html")),
      ...times(4, request("GPTBot", "/errors", 404)),
      ...times(3, request("GPTBot", "/docs/beta.md", 404)),
      ...times(2, request("GPTBot", "/docs/errors")),
      // The page was there when the log was written, and is not any more.
      request("browsers", "/docs/gone"),
      ...times(2, request("GPTBot", "/gone", 404))
    ])
  )
  const { code } = await runHere(["logs", "access.log", "--format", "json", "--output", "summary.json"], { cwd: root })
  expect(code).toBe(0)
})

const fix = (...flags: ReadonlyArray<string>) =>
  runHere(["fix", "build", "--as", "https://docs.example.com", "--ai", "allow", ...flags], { cwd: root })

/** The pages of the llms.txt that was written, in order. */
const listed = (folder: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, folder, "site/llms.txt"), "utf8").matchAll(/\/docs\/([a-z]+)/g)].map(
    ([, name = ""]) => name
  )

describe("docgauge fix --logs", () => {
  test("lists the pages first that agents read most", async () => {
    expect((await fix("--out", "without")).code).toBe(0)
    const { code, stderr } = await fix("--logs", "summary.json", "--out", "with", "--host", "nginx")
    expect([code, stderr]).toEqual([0, ""])
    expect(listed("without").slice(0, 3)).not.toEqual(["gamma", "delta", "errors"])
    expect(listed("with")).toEqual([
      "gamma",
      "delta",
      "errors",
      ...listed("without").filter((name) => !["gamma", "delta", "errors"].includes(name))
    ])
  })

  test("redirects what agents ask for in vain to pages that the site has, in the words of the host", async () => {
    const { stdout } = await fix("--logs", "summary.json", "--out", "redirected", "--host", "netlify")
    expect(stdout).toContain("host/_redirects")
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Look through _redirects, which logs suggest, then add its lines to the _redirects of the folder that is published."
    )
    expect(readFileSync(join(root, "redirected/PLAN.md"), "utf8")).toContain("Look through _redirects, ")
    expect(readFileSync(join(root, "redirected/host/_redirects"), "utf8")).toBe(
      "# Written by docgauge fix. Add these lines to _redirects in the folder that is published.\n/errors /docs/errors.html 301\n"
    )
  })

  test("says what to do where no host is named, or one that takes no redirects", async () => {
    const told = async (...flags: ReadonlyArray<string>): Promise<string> => {
      const { stderr } = await fix("--logs", "summary.json", "--out", "told", ...flags)
      expect(existsSync(join(root, "told/host/_redirects"))).toBe(false)
      return stderr
    }
    expect(await told()).toBe(
      "docgauge: agents ask in vain for 2 URLs whose page is known. To redirect them, say which host you use with --host.\n"
    )
    expect(await told("--host", "github-pages")).toBe(
      "docgauge: agents ask in vain for 2 URLs whose page is known. GitHub Pages takes no redirects from a file.\n"
    )
  })

  test("refuses a file that is no summary, and what it would not count for", async () => {
    writeFileSync(join(root, "other.json"), "{}")
    expect(await fix("--logs", "other.json")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^docgauge: other\.json is not what docgauge logs --format json prints: /)
    })
    expect(await fix("--logs", "summary.json", "--patch", "build")).toMatchObject({
      code: 2,
      stderr: "docgauge: --patch adds to a build, so --logs cannot be used with it.\n"
    })
  })
})
