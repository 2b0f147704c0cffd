import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveFakeSite } from "../../engine/testing/FakeServer.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { type ActionRun, readAction, runAction } from "./ActionRunner.ts"
import { NODE_FIRST, packInto, ROOT } from "../harness/PackedPackage.ts"

const ACTION = readAction(readFileSync(join(ROOT, "action.yml"), "utf8"))

const folder = mkdtempSync(join(tmpdir(), "docgauge-action-"))
let tarball = ""

const PAGE = `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></html>`

beforeAll(() => {
  tarball = packInto(folder)
  mkdirSync(join(folder, "bin"))
  cpSync(join(import.meta.dirname, "gh.mjs"), join(folder, "bin/gh"))
  execFileSync("chmod", ["+x", join(folder, "bin/gh")])
})

afterAll(() => rmSync(folder, { recursive: true }))

interface GitHub {
  readonly calls: ReadonlyArray<string>
  readonly comments: ReadonlyArray<{ readonly body: string }>
  readonly sarifs: ReadonlyArray<Readonly<Record<string, string>>>
}

const NOTHING = { calls: [], comments: [], sarifs: [], artifacts: [], runs: {}, readOnly: false }

const PUSH = { event_name: "push", ref: "refs/heads/main", sha: "a".repeat(40), token: "the token" }
const PULL_REQUEST = { event_name: "pull_request", base_ref: "main", token: "the token", event: { pull_request: { number: 7, head: { sha: "b".repeat(40) } } } }

let count = 0

/** Runs the action in a checkout with a build, with GitHub in this state. */
const run = async (inputs: Readonly<Record<string, string>>, github: Readonly<Record<string, unknown>>, state: object = NOTHING): Promise<ActionRun & { readonly hub: GitHub; readonly workspace: string }> => {
  count += 1
  const temp = join(folder, `run-${count}`)
  const workspace = join(temp, "workspace")
  mkdirSync(join(workspace, "build"), { recursive: true })
  writeFileSync(join(workspace, "build/index.html"), PAGE)
  writeFileSync(join(temp, "hub.json"), JSON.stringify(state))
  const env = { PATH: `${join(folder, "bin")}:${NODE_FIRST.PATH}`, FAKE_GITHUB: join(temp, "hub.json") }
  const done = await runAction(ACTION, { inputs: { package: tarball, ...inputs }, github: { action_path: ROOT, ...github }, env, temp, workspace })
  return { ...done, workspace, hub: JSON.parse(readFileSync(join(temp, "hub.json"), "utf8")) }
}

const BUILD = { path: "build", url: "https://docs.example.com" }

describe("action.yml", () => {
  it("pins every action by commit, and never puts an input into a script", () => {
    for (const { run: script = "", uses = "" } of ACTION.runs.steps) {
      expect(uses).toMatch(/^$|@[0-9a-f]{40}$/)
      expect(script).not.toContain("${{")
    }
  })

  it("audits a build, prints annotations and a summary, and gives score and report", async () => {
    const { failed, log, outputs, ran, summary, workspace } = await run(BUILD, PUSH)
    expect([failed, outputs["exit-code"]]).toEqual([false, "0"])
    expect(log).toMatch(/^::notice title=docgauge::/m)
    expect(summary).toContain("docs.example.com")
    expect(JSON.parse(readFileSync(outputs["report"] ?? "", "utf8")).total_score).toBe(Number(outputs["score"]))
    expect(ran.filter((name) => /Comment|Upload|Keep|Find/.test(name))).toEqual([])
    expect(existsSync(join(workspace, "report.json"))).toBe(false)
  })

  it("audits a site that is served, with flags of one's own", async () => {
    const { origin, pathname } = new URL(TYPICAL_URL)
    await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const server = yield* serveFakeSite(typicalSite(), { host: origin })
      const args = ["--allow-private", "--allow-http", "--canonical-origin", origin].join("\n")
      const { failed, outputs } = yield* Effect.promise(() => run({ url: server.origin + pathname, args }, PUSH))
      expect([failed, outputs["score"]]).toEqual([false, "53"])
    })))
  })

  it("fails below the minimum score, and comments and uploads all the same", async () => {
    const { failed, hub, log, outputs } = await run({ ...BUILD, "min-score": "99", comment: "true", sarif: "true" }, PULL_REQUEST)
    expect([failed, outputs["exit-code"]]).toEqual([true, expect.stringMatching(/^[14]$/)])
    expect(log).toMatch(/^::error title=/m)
    expect(hub.comments.map(({ body }) => body.split("\n")[0])).toEqual(["<!-- docgauge docgauge -->"])
    expect(hub.sarifs).toMatchObject([{ commit_sha: "b".repeat(40), ref: "refs/pull/7/head" }])
    const sarif: unknown = JSON.parse(execFileSync("sh", ["-c", "base64 -d | gunzip"], { input: hub.sarifs[0]?.["sarif"] ?? "", encoding: "utf8" }))
    expect(sarif).toMatchObject({ version: "2.1.0" })
  })

  it("edits its comment, and no other", async () => {
    const comments = [
      { id: 1, user: { type: "User" }, body: "<!-- docgauge docgauge -->\nnot ours" },
      { id: 2, user: { type: "Bot" }, body: "<!-- docgauge other -->\nof another use" },
      { id: 3, user: { type: "Bot" }, body: "<!-- docgauge docgauge -->\nold" }
    ]
    const { hub } = await run({ ...BUILD, comment: "true" }, PULL_REQUEST, { ...NOTHING, comments })
    expect(hub.comments.map(({ body }) => body.includes("docs.example.com"))).toEqual([false, false, true])
  })

  it("works in a pull request of a fork, whose token writes nothing", async () => {
    const { failed, hub, log } = await run({ ...BUILD, comment: "true", sarif: "true", baseline: "true" }, PULL_REQUEST, { ...NOTHING, readOnly: true })
    expect([failed, hub.comments, hub.sarifs]).toEqual([false, [], []])
    expect(log.match(/^::notice title=docgauge::(?:The report could not be written|The findings could not be uploaded|There is no report of the base branch)/gm)).toHaveLength(3)
  })

  it("keeps the report of a push, and compares a pull request with the newest of its base branch alone", async () => {
    const kept = await run({ ...BUILD, baseline: "true" }, PUSH)
    expect(kept.ran).toContain("Keep the report for pull requests")
    const artifact = join(folder, "artifact")
    mkdirSync(artifact)
    const report: { total_score: number } = JSON.parse(readFileSync(kept.outputs["report"] ?? "", "utf8"))
    writeFileSync(join(artifact, "report.json"), JSON.stringify({ ...report, total_score: report.total_score + 5 }))
    const of = (id: number, branch: string, head: number, expired = false) => ({ name: "docgauge-baseline", expired, workflow_run: { id, head_branch: branch, head_repository_id: head, repository_id: 1 } })
    const artifacts = [of(11, "main", 2), of(12, "feature", 1), of(13, "main", 1, true), of(14, "main", 1), of(15, "main", 1)]
    const compared = await run({ ...BUILD, baseline: "true", "max-drop": "4", args: "--sample\n10" }, PULL_REQUEST, { ...NOTHING, artifacts, runs: { 14: artifact } })
    expect([compared.failed, compared.log.includes("There is no report")]).toEqual([true, false])
    expect(compared.ran).not.toContain("Keep the report for pull requests")
  })

  it("runs nothing that an input says", async () => {
    const evil = `"; touch pwned; $(touch pwned) \`touch pwned\` '`
    const { failed, outputs, workspace } = await run({ ...BUILD, "min-score": evil, name: evil, comment: "true" }, PULL_REQUEST)
    expect([failed, outputs["exit-code"]]).toEqual([true, "2"])
    expect(existsSync(join(workspace, "pwned"))).toBe(false)
    const again = await run({ url: evil, config: evil, args: evil }, PUSH)
    expect([again.failed, existsSync(join(again.workspace, "pwned"))]).toEqual([true, false])
  })
})
