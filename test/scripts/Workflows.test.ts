import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"

const FOLDER = join(import.meta.dirname, "../../.github/workflows")

const Workflow = Schema.Struct({
  on: Schema.Record(
    Schema.String,
    Schema.NullOr(Schema.Struct({ paths: Schema.optionalKey(Schema.Array(Schema.String)) }))
  ),
  permissions: Schema.Record(Schema.String, Schema.Literals(["read", "write", "none"])),
  jobs: Schema.Record(
    Schema.String,
    Schema.Struct({
      permissions: Schema.optionalKey(Schema.Unknown),
      needs: Schema.optionalKey(Schema.String),
      steps: Schema.Array(
        Schema.Struct({
          name: Schema.optionalKey(Schema.String),
          "continue-on-error": Schema.optionalKey(Schema.Boolean),
          uses: Schema.optionalKey(Schema.String),
          run: Schema.optionalKey(Schema.String),
          env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
          with: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
        })
      )
    })
  )
})

const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  ...Schema.decodeUnknownSync(Workflow)(parse(readFileSync(join(FOLDER, name), "utf8")))
}))

const stepsOf = (workflow: (typeof workflows)[number]) => Object.values(workflow.jobs).flatMap(({ steps }) => steps)

describe("workflows", () => {
  it("run the code of a pull request only with a token that can read", () => {
    for (const workflow of workflows) {
      const checksOut = stepsOf(workflow).filter(({ uses }) => uses?.startsWith("actions/checkout@") === true)
      const isOfPullRequests = "pull_request" in workflow.on || "workflow_run" in workflow.on
      const mayWrite =
        isOfPullRequests &&
        (Object.values(workflow.permissions).includes("write") ||
          Object.values(workflow.jobs).some(({ permissions }) => permissions !== undefined))
      expect([workflow.name, mayWrite && checksOut.length > 0]).toEqual([workflow.name, false])
      expect([workflow.name, "pull_request_target" in workflow.on]).toEqual([workflow.name, false])
      expect(checksOut.map((step) => step.with?.["persist-credentials"])).toEqual(checksOut.map(() => false))
    }
  })

  it("put nothing that a pull request says into a script", () => {
    for (const workflow of workflows)
      expect(stepsOf(workflow).filter(({ run }) => run?.includes("${{") === true)).toEqual([])
  })

  it("name actions by their commit", () => {
    const actions = workflows.flatMap((workflow) => stepsOf(workflow).flatMap(({ uses }) => uses ?? []))
    expect(actions.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([])
  })

  it("run all checks on every change, and before a release is published", () => {
    const commandsOf = (name: string) =>
      workflows
        .filter((workflow) => workflow.name === name)
        .flatMap(stepsOf)
        .flatMap(({ run }) => run ?? [])
    expect(workflows.find(({ name }) => name === "test.yml")?.on).toHaveProperty("pull_request", null)
    const checks = [
      "npm test",
      "npm run test:long -- test/long/Package.test.ts test/long/CriterionNew.test.ts",
      "npm run test:long -- test/long/Action.test.ts",
      "npm run test:endurance -- test/long/Package.endurance.ts"
    ]
    expect(commandsOf("test.yml")).toEqual(expect.arrayContaining(checks))
    for (const { env, run } of workflows.flatMap(stepsOf))
      if (run?.includes("Action.test.ts") === true) expect(env).toEqual({ DOCGAUGE_ACTION_TESTS: "all" })
    const publishing = commandsOf("publish.yml")
    expect(publishing.at(-1)).toBe("npm publish --ignore-scripts --provenance --access public")
    expect(publishing).toEqual(expect.arrayContaining(checks))
  })

  it("install what npm test needs beside the runner's own programs", () => {
    const runs = workflows
      .flatMap(({ jobs }) => Object.values(jobs))
      .map(({ steps }) => steps.flatMap(({ run }) => run ?? []))
    const testing = runs.filter((commands) => commands.includes("npm test"))
    expect(testing).toHaveLength(2)
    for (const commands of testing)
      expect(commands.slice(0, commands.indexOf("npm test"))).toContain(
        "sudo apt-get update && sudo apt-get install -y prometheus"
      )
  })

  it("let no install script and no test run where npm can be asked for the right to publish", () => {
    const { jobs = {}, permissions } = workflows.find(({ name }) => name === "publish.yml") ?? {}
    expect(permissions).toEqual({ contents: "read" })
    const [publishing, ...others] = Object.values(jobs).filter((job) => job.permissions !== undefined)
    expect(others).toEqual([])
    expect(publishing).toMatchObject({ needs: "test", permissions: { contents: "read", "id-token": "write" } })
    expect(publishing?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      "npm ci --ignore-scripts",
      "npm run build",
      "npm publish --ignore-scripts --provenance --access public"
    ])
  })

  it("upload what is wrong with the rubric to code scanning, by the workflow that runs nothing of the pull request", () => {
    const uploading = workflows.filter(({ permissions }) => permissions["security-events"] === "write")
    expect(uploading.map(({ name }) => name)).toEqual(["rubric-comment.yml"])
    const steps = uploading.flatMap(stepsOf)
    expect(steps.some(({ run }) => run?.includes("code-scanning/sarifs") === true)).toBe(true)
    // Code scanning may be off, which must not cost the table.
    const [posted, uploaded] = ["gh pr comment", "code-scanning/sarifs"].map((part) =>
      steps.findIndex(({ run }) => run?.includes(part))
    )
    expect(posted).toBeLessThan(uploaded ?? 0)
    expect(steps[uploaded ?? 0]?.["continue-on-error"]).toBe(true)
  })

  it("judge the published facts of real sites, of the base branch, and made-up sites apart", () => {
    const runs = workflows
      .filter(({ name }) => name === "rubric.yml")
      .flatMap(stepsOf)
      .flatMap(({ run }) => run ?? [])
    const judging = runs.filter((run) => run.includes(" rescore "))
    expect(judging).toHaveLength(1)
    expect(judging[0]).toContain('--from ../base/test/corpus/facts.json --synthetic "$RUNNER_TEMP/recorded"')
  })

  it("review the rubric wherever something changes that makes facts", () => {
    const paths = workflows.find(({ name }) => name === "rubric.yml")?.on["pull_request"]?.paths ?? []
    expect(paths).toEqual(
      expect.arrayContaining([
        "rubric.yaml",
        "plugins/**",
        "engine/**",
        "package-lock.json",
        "scripts/recordSites.ts",
        "test/golden/**",
        "test/corpus/**"
      ])
    )
  })
})
