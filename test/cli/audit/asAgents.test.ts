import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FakeAnswer, type FakeServer, type FakeSite, serveFakeSite } from "../../../engine/testing/FakeSite.ts"
import { runHere } from "../RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-agents-"))
const scope = Effect.runSync(Scope.make())
let server: FakeServer

const page = (subject: string): FakeAnswer => ({
  body: `<html lang="en"><title>${subject}</title><nav><a href="/parcels">Parcels</a></nav><main><h1>${subject}</h1><p>${`${subject} are created with a POST request. `.repeat(12)}</p></main></html>`
})

/** Refuses everything to Claude Code, by its `User-Agent`. */
const SITE: FakeSite = {
  "/": (asked) => (asked.sentAs?.userAgent.startsWith("Claude-User") === true ? { status: 403 } : page("Quillpay")),
  "/parcels": page("Parcels"),
  "/robots.txt": "User-agent: MistralAI-User\nDisallow: /parcels\n",
  "/llms.txt": "# Quillpay\n\n- [Parcels](/parcels): how to send them\n"
}

beforeAll(async () => {
  server = await Effect.runPromise(Scope.provide(serveFakeSite(SITE), scope))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const audit = (...flags: ReadonlyArray<string>) =>
  runHere([`${server.origin}/`, "--allow-private", "--allow-http", "--quiet", "--no-color", ...flags])

describe("docgauge URL --as-agents", () => {
  it("shows what each agent is served, records it, and scores as without", async () => {
    const archive = join(folder, "audit.warc.gz")
    const json = join(folder, "with.json")
    const { code, stdout } = await audit("--as-agents", "--record", archive, "--write", `json=${json}`)
    expect(code).toBe(0)
    expect(stdout).toContain("What each named agent is served")
    expect(stdout).toMatch(/^ {4}403: Claude Code$/m)
    expect(stdout).toMatch(/^ {4}forbidden by robots\.txt: Mistral$/m)
    const { as_agents: matrix, ...rest } = JSON.parse(readFileSync(json, "utf8"))
    expect(matrix.agents.length).toBe(8)
    expect(JSON.parse((await audit("--format", "json")).stdout)).toEqual(rest)

    const replayed = await runHere(["--replay", archive, "--quiet", "--format", "json"])
    expect(replayed.stdout).toBe(readFileSync(json, "utf8"))
  })

  it.each([
    [["--replay", "audit.warc.gz"], "--replay uses no network"],
    [["./build", "--as", "https://docs.example.com"], "--as audits a folder"],
    [["https://docs.example.com", "--server", "https://docgauge.example"], "--server audits with the settings"]
  ])("is refused with %j, where it would have no effect", async (args, reason) => {
    const { code, stderr } = await runHere([...args, "--as-agents"])
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
    expect(stderr).toContain("so --as-agents cannot be used with it.")
  })
})
