import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { type ActionRun, readAction, runAction } from "./ActionRunner.ts"
import { NODE_FIRST, packInto, ROOT } from "../harness/PackedPackage.ts"

const ACTION = readAction(readFileSync(join(ROOT, "action.yml"), "utf8"))

const folder = mkdtempSync(join(tmpdir(), "docgauge-action-"))
let tarball = ""

/** In the place of npm for all runs but one: what that would install again is copied. */
const COPYING_NPM = `#!/bin/sh
[ "$1 $2" = "install --prefix" ] || exit 1
for last; do :; done
echo "$last" > installs
mkdir -p "$3" && cp -al "$INSTALLED/node_modules" "$3/"
`

const PAGE = `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></html>`

/** Its report is not reliable. */
const CLIENT_RENDERED = `<!doctype html><html lang="en"><title>Docs</title><body><div id="root"></div><script src="/app.js"></script></body></html>`

beforeAll(() => {
  tarball = packInto(folder)
  for (const bin of ["bin", "copying"]) mkdirSync(join(folder, bin))
  cpSync(join(import.meta.dirname, "gh.mjs"), join(folder, "bin/gh"))
  writeFileSync(join(folder, "copying/npm"), COPYING_NPM)
  writeFileSync(join(folder, "bin/sleep"), "#!/bin/sh\n")
  for (const program of ["bin/gh", "bin/sleep", "copying/npm"]) chmodSync(join(folder, program), 0o755)
  execFileSync("npm", ["install", "--prefix", join(folder, "installed"), "--no-save", "--omit=optional", tarball], {
    env: NODE_FIRST
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

interface GitHub {
  readonly calls: ReadonlyArray<string>
  readonly comments: ReadonlyArray<{ readonly body: string }>
  readonly sarifs: ReadonlyArray<Readonly<Record<string, string>>>
}

const NOTHING = { calls: [], comments: [], sarifs: [], artifacts: [], runs: {}, readOnly: false }

const PUSH = { event_name: "push", ref: "refs/heads/main", sha: "a".repeat(40), token: "the token" }
const PULL_REQUEST = {
  event_name: "pull_request",
  base_ref: "main",
  token: "the token",
  event: { pull_request: { number: 7, head: { sha: "b".repeat(40) } } }
}

/** A docgauge.yaml with these sites. */
const configOf = (...urls: ReadonlyArray<string>): string =>
  `sites: [${urls.map((url) => `{ url: "${url}", path: build }`).join(", ")}]`

const OWN_VERSION = String(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version)

/** What the workflows of this repository run on every change with `DOCGAUGE_ACTION_TESTS=all`: each runs the action several times, ten minutes in all. */
const isThorough = process.env["DOCGAUGE_ACTION_TESTS"] === "all"

interface Installation {
  /** Whether the npm of this machine installs the package, and not the one that copies it. */
  readonly installs?: boolean
  /** Whether that one has a package to copy: without, the action ends there. */
  readonly installed?: boolean
  /** The script in the checkout that is its own docgauge. */
  readonly own?: string
}

let count = 0

/** Runs the action in a checkout with a build, with GitHub in this state. */
const run = async (
  inputs: Readonly<Record<string, string>>,
  github: Readonly<Record<string, unknown>>,
  state: object = NOTHING,
  files: Readonly<Record<string, string>> = {},
  { installs = false, installed = true, own }: Installation = {}
): Promise<ActionRun & { readonly hub: GitHub; readonly workspace: string }> => {
  count += 1
  const temp = join(folder, `run-${count}`)
  const workspace = join(temp, "workspace")
  mkdirSync(join(workspace, "build"), { recursive: true })
  writeFileSync(join(workspace, "build/index.html"), PAGE)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(workspace, file), text)
  if (own !== undefined) {
    mkdirSync(join(workspace, "node_modules/.bin"), { recursive: true })
    cpSync(join(workspace, own), join(workspace, "node_modules/.bin/docgauge"))
    chmodSync(join(workspace, "node_modules/.bin/docgauge"), 0o755)
  }
  writeFileSync(join(temp, "hub.json"), JSON.stringify(state))
  const path = [join(folder, "bin"), ...(installs ? [] : [join(folder, "copying")]), NODE_FIRST.PATH]
  const env = {
    PATH: path.join(":"),
    FAKE_GITHUB: join(temp, "hub.json"),
    INSTALLED: join(folder, installed ? "installed" : "nothing")
  }
  const done = await runAction(ACTION, {
    inputs: { package: tarball, ...inputs },
    github: { action_path: ROOT, ...github },
    env,
    temp,
    workspace
  })
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
    const { failed, log, outputs, ran, summary, workspace } = await run(BUILD, PUSH, NOTHING, {}, { installs: true })
    expect([failed, outputs["exit-code"]]).toEqual([false, "0"])
    expect(log).toMatch(/^::notice title=docgauge::/m)
    expect(summary).toContain("docs.example.com")
    expect(JSON.parse(readFileSync(outputs["report"] ?? "", "utf8")).total_score).toBe(Number(outputs["score"]))
    expect(ran.filter((name) => /Comment|Upload|Keep|Find/.test(name))).toEqual([])
    expect(existsSync(join(workspace, "report.json"))).toBe(false)
  })

  it.runIf(isThorough)("audits a site that is served, with flags of one's own", async () => {
    const { origin, pathname } = new URL(TYPICAL_URL)
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* serveFakeSite(typicalSite(), { host: origin })
          const args = ["--allow-private", "--allow-http", "--canonical-origin", origin].join("\n")
          const { failed, outputs } = yield* Effect.promise(() => run({ url: server.origin + pathname, args }, PUSH))
          expect([failed, outputs["score"]]).toEqual([false, "43"])
        })
      )
    )
  })

  it("fails below the minimum score, and comments and uploads all the same", async () => {
    const { failed, hub, log, outputs } = await run(
      { ...BUILD, "min-score": "99", comment: "true", sarif: "true" },
      PULL_REQUEST
    )
    expect([failed, outputs["exit-code"]]).toEqual([true, expect.stringMatching(/^[14]$/)])
    expect(log).toMatch(/^::error title=/m)
    expect(hub.comments.map(({ body }) => body.split("\n")[0])).toEqual(["<!-- docgauge docgauge -->"])
    expect(hub.sarifs).toMatchObject([{ commit_sha: "b".repeat(40), ref: "refs/pull/7/head" }])
    const sarif: unknown = JSON.parse(
      execFileSync("sh", ["-c", "base64 -d | gunzip"], { input: hub.sarifs[0]?.["sarif"] ?? "", encoding: "utf8" })
    )
    expect(sarif).toMatchObject({ version: "2.1.0" })
  })

  it("fails with drift if a call is false, and not without it", async () => {
    const spec = {
      openapi: "3.1.0",
      info: { title: "Orders", version: "1.0.0" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/orders": {
          get: {
            parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
            responses: { 200: { description: "Orders" } }
          }
        }
      }
    }
    const files = {
      "build/openapi.json": JSON.stringify(spec),
      "build/index.html": PAGE.replace(
        "</main>",
        "<pre><code>curl 'https://api.example.com/orders?limits=3'</code></pre><a href=\"/openapi.json\">OpenAPI</a></main>"
      )
    }
    expect((await run(BUILD, PUSH, NOTHING, files)).failed).toBe(false)
    const { failed, log, outputs } = await run({ ...BUILD, drift: "true" }, PUSH, NOTHING, files)
    expect([failed, outputs["exit-code"]]).toEqual([true, "1"])
    expect(log).toMatch(/^::error title=docgauge%3A goal missed::1 of \d+ compared .* is false/m)
  })

  it("cuts a comment that is longer than GitHub takes, between two characters", async () => {
    const temp = join(folder, "long-comment")
    mkdirSync(join(temp, "out"), { recursive: true })
    writeFileSync(join(temp, "out/report.md"), `a${"😀".repeat(100_000)}`)
    writeFileSync(join(temp, "hub.json"), JSON.stringify(NOTHING))
    const steps = ACTION.runs.steps.flatMap((step) =>
      step.name === "Comment on the pull request"
        ? [{ ...step, if: "always()", env: { ...step.env, HOME_FOLDER: temp } }]
        : []
    )
    const env = { PATH: `${join(folder, "bin")}:${NODE_FIRST.PATH}`, FAKE_GITHUB: join(temp, "hub.json") }
    const { failed } = await runAction(
      { ...ACTION, runs: { ...ACTION.runs, steps } },
      { inputs: {}, github: { action_path: ROOT, ...PULL_REQUEST }, env, temp, workspace: temp }
    )
    const { comments }: GitHub = JSON.parse(readFileSync(join(temp, "hub.json"), "utf8"))
    expect([failed, comments.length]).toEqual([false, 1])
    expect(comments[0]?.body.length).toBeLessThan(65_536)
    expect(comments[0]?.body.slice(0, 40)).toMatch(/^<!-- docgauge docgauge -->\na(?:😀)+$/u)
    expect(comments[0]?.body.trimEnd().slice(-5)).toBe("😀😀\uFFFD")
  })

  it.runIf(isThorough)("edits its comment, and no other", async () => {
    const comments = [
      { id: 1, user: { type: "User" }, body: "<!-- docgauge docgauge -->\nnot ours" },
      { id: 2, user: { type: "Bot" }, body: "<!-- docgauge other -->\nof another use" },
      { id: 3, user: { type: "Bot" }, body: "<!-- docgauge docgauge -->\nold" }
    ]
    const { hub } = await run({ ...BUILD, comment: "true" }, PULL_REQUEST, { ...NOTHING, comments })
    expect(hub.comments.map(({ body }) => body.includes("docs.example.com"))).toEqual([false, false, true])
  })

  it("works in a pull request of a fork, whose token writes nothing", async () => {
    const { failed, hub, log } = await run(
      { ...BUILD, comment: "true", sarif: "true", baseline: "true" },
      PULL_REQUEST,
      { ...NOTHING, readOnly: true }
    )
    expect([failed, hub.comments, hub.sarifs]).toEqual([false, [], []])
    expect(
      log.match(
        /^::notice title=docgauge::(?:The report could not be written|The findings could not be uploaded|There is no report of the base branch)/gm
      )
    ).toHaveLength(3)
  })

  it.runIf(isThorough)("waits for GitHub's verdict on the findings, and fails with its reason", async () => {
    const inputs = { ...BUILD, sarif: "true" }
    const taken = await run(inputs, PUSH)
    expect([taken.failed, taken.hub.calls.filter((call) => call.startsWith("GET code-scanning"))]).toEqual([
      false,
      Array.from({ length: 2 }, () => "GET code-scanning/sarifs/sarif-1")
    ])
    const errors = ['SARIF URI scheme "https" did not match\nthe checkout URI scheme "file"']
    const refused = await run(inputs, PUSH, { ...NOTHING, verdict: { processing_status: "failed", errors } })
    expect(refused.failed).toBe(true)
    expect(refused.log).toMatch(
      /^::error title=docgauge::GitHub refused the findings for code scanning: SARIF URI scheme "https" did not match the checkout URI scheme "file"$/m
    )
    const pending = await run(inputs, PUSH, { ...NOTHING, verdict: { processing_status: "pending" } })
    expect([pending.failed, pending.log]).toEqual([
      false,
      expect.stringContaining("::notice title=docgauge::GitHub has not said after two minutes")
    ])
  })

  it.each([
    ["the version of package.json", { devDependencies: { docgauge: "0.1.2" } }, {}, "docgauge@0.1.2"],
    ["what the lock file has", { devDependencies: { docgauge: "^0.1.0" } }, { version: "0.1.7" }, "docgauge@0.1.7"],
    ["no path of package.json", { devDependencies: { docgauge: "file:../x" } }, {}, `docgauge@${OWN_VERSION}`],
    ["its own version without one", {}, {}, `docgauge@${OWN_VERSION}`]
  ])("installs %s", async (_, manifest, locked, wanted) => {
    const files = {
      "package.json": JSON.stringify(manifest),
      "package-lock.json": JSON.stringify({ packages: { "node_modules/docgauge": locked } })
    }
    const { failed, workspace } = await run({ ...BUILD, package: "" }, PUSH, NOTHING, files, { installed: false })
    expect([failed, readFileSync(join(workspace, "installs"), "utf8").trim()]).toEqual([true, wanted])
  })

  it.runIf(isThorough)(
    "runs the docgauge of node_modules, and installs none, unless it is told what to install",
    async () => {
      const files = { "own.sh": '#!/bin/sh\necho "own docgauge: $1"\n' }
      const { log, workspace } = await run({ ...BUILD, package: "" }, PUSH, NOTHING, files, { own: "own.sh" })
      expect(log).toContain("own docgauge: --format")
      expect(existsSync(join(workspace, "installs"))).toBe(false)
      const told = await run(BUILD, PUSH, NOTHING, files, { own: "own.sh" })
      expect(told.log).not.toContain("own docgauge")
    }
  )

  it.runIf(isThorough)("takes nothing of another use in one job", async () => {
    const workspace = join(folder, "twice")
    mkdirSync(join(workspace, "build"), { recursive: true })
    writeFileSync(join(workspace, "build/index.html"), PAGE)
    writeFileSync(join(workspace, "hub.json"), JSON.stringify(NOTHING))
    const env = { PATH: `${join(folder, "bin")}:${NODE_FIRST.PATH}`, FAKE_GITHUB: join(workspace, "hub.json") }
    const use = (inputs: Readonly<Record<string, string>>) =>
      runAction(ACTION, {
        inputs: { package: tarball, ...inputs },
        github: { action_path: ROOT, ...PULL_REQUEST },
        env,
        temp: workspace,
        workspace
      })
    const first = await use(BUILD)
    const second = await use({ ...BUILD, path: "missing", comment: "true", sarif: "true" })
    expect([first.outputs["exit-code"], second.outputs["exit-code"]]).toEqual(["0", expect.stringMatching(/^[23]$/)])
    expect([second.outputs["report"], second.outputs["score"]]).toEqual(["", ""])
    expect(second.ran).not.toContain("Comment on the pull request")
    expect(existsSync(first.outputs["report"] ?? "")).toBe(true)
  })

  it.each([
    [{ "min-score": "75" }, "`min-score` cannot be used with it"],
    [{ baseline: "true" }, "`baseline` and `max-drop` cannot be used with it"],
    [{ config: "docgauge.yaml", url: "https://docs.example.com" }, "`url` and `path` cannot be used with it"],
    [{ drift: "true" }, "`drift` cannot be used with it: write it there, as drift: true of a site."],
    [{ path: "build" }, "`path` needs `url`"],
    [{ ...BUILD, "max-drop": "2" }, '`max-drop` needs `baseline: "true"`']
  ])("refuses %o in the names of its inputs, before anything is installed", async (inputs, sentence) => {
    const { failed, log, outputs, ran } = await run(inputs, PULL_REQUEST, NOTHING, {
      "docgauge.yaml": configOf("https://docs.example.com")
    })
    expect([failed, outputs["exit-code"], ran]).toEqual([true, "2", ["Check the inputs"]])
    expect(log).toMatch(/^::error title=docgauge::/)
    expect(log).toContain(sentence)
  })

  it("says that several sites have no comment and no upload", async () => {
    const files = { "docgauge.yaml": configOf("https://docs.example.com", "https://docs.example.org") }
    const { failed, hub, log } = await run({ comment: "true", sarif: "true" }, PULL_REQUEST, NOTHING, files)
    expect([failed, hub.comments, hub.sarifs]).toEqual([false, [], []])
    expect(log).toMatch(
      /^::notice title=docgauge::Several sites are audited, so `comment` and `sarif` have no effect\./m
    )
  })

  it.runIf(isThorough)("says that a comment has no effect where there is no pull request to comment on", async () => {
    const { log } = await run({ ...BUILD, comment: "true" }, { ...PUSH, event_name: "workflow_dispatch" })
    expect(log).toMatch(/^::notice title=docgauge::`comment` has no effect/m)
  })

  it.runIf(isThorough)("tells why there is no report of the base branch", async () => {
    const notice = async (state: object): Promise<string> => {
      const { failed, log } = await run({ ...BUILD, baseline: "true" }, PULL_REQUEST, { ...NOTHING, ...state })
      expect(failed).toBe(false)
      return /^::notice title=docgauge::(.*base branch.*)$/m.exec(log)?.[1] ?? ""
    }
    const artifact = {
      name: "docgauge-baseline",
      expired: false,
      workflow_run: { id: 14, head_branch: "main", head_repository_id: 1, repository_id: 1 }
    }
    expect(await notice({})).toMatch(/^There is no report of the base branch to compare with yet\./)
    expect(await notice({ noActions: true })).toMatch(/^GitHub could not be asked .* `actions: read`\.$/)
    expect(await notice({ artifacts: [artifact] })).toMatch(
      /^The report of the base branch was found in run 14 and could not be downloaded/
    )
  })

  it.runIf(isThorough)("keeps no report that is not reliable", async () => {
    const { log, outputs, ran } = await run({ ...BUILD, baseline: "true" }, PUSH, NOTHING, {
      "build/index.html": CLIENT_RENDERED
    })
    expect([outputs["exit-code"], ran.includes("Keep the report for pull requests")]).toEqual(["0", false])
    expect(log).toContain("This report is not reliable")
  })

  it.runIf(isThorough)("edits the comment of a personal token's user", async () => {
    const comments = [
      { id: 1, user: { type: "User", login: "somebody" }, body: "<!-- docgauge docgauge -->\nnot ours" },
      {
        id: 2,
        user: { type: "Bot", login: "github-actions[bot]" },
        body: "<!-- docgauge docgauge -->\nof the other token"
      },
      { id: 3, user: { type: "User", login: "robot" }, body: "<!-- docgauge docgauge -->\nold" }
    ]
    const { hub } = await run({ ...BUILD, comment: "true" }, PULL_REQUEST, { ...NOTHING, comments, login: "robot" })
    expect(hub.comments.map(({ body }) => body.includes("docs.example.com"))).toEqual([false, false, true])
  })

  it.runIf(isThorough)(
    "keeps the report of a push, and compares a pull request with the newest of its base branch alone",
    async () => {
      const kept = await run({ ...BUILD, baseline: "true" }, PUSH)
      expect(kept.ran).toContain("Keep the report for pull requests")
      const artifact = join(folder, "artifact")
      mkdirSync(artifact)
      const report: { total_score: number } = JSON.parse(readFileSync(kept.outputs["report"] ?? "", "utf8"))
      writeFileSync(join(artifact, "report.json"), JSON.stringify({ ...report, total_score: report.total_score + 5 }))
      const of = (id: number, branch: string, head: number, expired = false) => ({
        name: "docgauge-baseline",
        expired,
        workflow_run: { id, head_branch: branch, head_repository_id: head, repository_id: 1 }
      })
      const artifacts = [
        of(11, "main", 2),
        of(12, "feature", 1),
        of(13, "main", 1, true),
        of(14, "main", 1),
        of(15, "main", 1)
      ]
      const compared = await run(
        { ...BUILD, baseline: "true", "max-drop": "4", comment: "true", args: "--sample\n10" },
        PULL_REQUEST,
        { ...NOTHING, artifacts, runs: { 14: artifact } }
      )
      expect([compared.failed, compared.log.includes("There is no report")]).toEqual([true, false])
      expect(compared.ran).not.toContain("Keep the report for pull requests")
      for (const text of [compared.summary, compared.hub.comments[0]?.body])
        expect(text).toContain(
          `**Since the baseline:** the score was ${report.total_score + 5} in the baseline and is ${report.total_score} now.`
        )
    }
  )

  it("runs nothing that an input says", async () => {
    const evil = `"; touch pwned; $(touch pwned) \`touch pwned\` '`
    const { failed, outputs, workspace } = await run(
      { ...BUILD, "min-score": evil, name: evil, comment: "true" },
      PULL_REQUEST
    )
    expect([failed, outputs["exit-code"]]).toEqual([true, "2"])
    expect(existsSync(join(workspace, "pwned"))).toBe(false)
    const again = await run({ url: evil, config: evil, args: evil }, PUSH)
    expect([again.failed, existsSync(join(again.workspace, "pwned"))]).toEqual([true, false])
  })
})
