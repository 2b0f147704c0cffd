import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { runInNewContext } from "node:vm"
import * as Schema from "effect/Schema"
import { parse } from "yaml"

/*
 * Runs the steps of a composite action as GitHub's runner does: expressions are evaluated, `run` blocks are executed by bash, and
 * the files that steps write to are read. A step that `uses` another action is noted, and does nothing.
 */

const Step = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  id: Schema.optionalKey(Schema.String),
  if: Schema.optionalKey(Schema.String),
  uses: Schema.optionalKey(Schema.String),
  run: Schema.optionalKey(Schema.String),
  shell: Schema.optionalKey(Schema.String),
  "working-directory": Schema.optionalKey(Schema.String),
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  with: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})

export const Action = Schema.Struct({
  inputs: Schema.Record(
    Schema.String,
    Schema.Struct({ description: Schema.String, default: Schema.optionalKey(Schema.String) })
  ),
  outputs: Schema.Record(Schema.String, Schema.Struct({ description: Schema.String, value: Schema.String })),
  runs: Schema.Struct({ using: Schema.Literal("composite"), steps: Schema.Array(Step) })
})

export const readAction = (text: string): typeof Action.Type => Schema.decodeUnknownSync(Action)(parse(text))

/** The circumstances of a run. */
export interface Circumstances {
  readonly inputs: Readonly<Record<string, string>>
  readonly github: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
  /** An empty folder for the runner's files. */
  readonly temp: string
  /** The repository's checkout. */
  readonly workspace: string
}

export interface ActionRun {
  readonly failed: boolean
  /** Names of the steps that ran, with the actions that they use. */
  readonly ran: ReadonlyArray<string>
  readonly outputs: Readonly<Record<string, string>>
  /** What all steps printed. */
  readonly log: string
  readonly summary: string
}

export const runAction = async (
  action: typeof Action.Type,
  { env, github, inputs: given, temp, workspace }: Circumstances
): Promise<ActionRun> => {
  const file = (name: string): string => join(temp, name)
  for (const name of ["output", "summary"]) writeFileSync(file(name), "")
  mkdirSync(file("runner"), { recursive: true })
  const steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }> = {}
  const defaults = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = "" }]) => [name, value])
  )
  const inputs: Record<string, string> = {}
  const context = { inputs, github, steps, failed: false }
  for (const [name, value] of Object.entries(defaults)) inputs[name] = given[name] ?? filled(value, context)
  const ran: Array<string> = []
  let log = ""
  for (const step of action.runs.steps) {
    const condition = step.if ?? "success()"
    if (evaluated(/\balways\(\)/.test(condition) ? condition : `success() && (${condition})`, context) !== true)
      continue
    ran.push(step.name ?? step.uses ?? "")
    if (step.run === undefined) continue
    writeFileSync(file("output"), "")
    writeFileSync(file("step.sh"), step.run)
    const own = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, context)])
    )
    const { code, printed } = await bash(
      file("step.sh"),
      join(workspace, filled(step["working-directory"] ?? ".", context)),
      {
        ...env,
        ...own,
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_REPOSITORY: "acme/docs",
        RUNNER_TEMP: file("runner"),
        GITHUB_OUTPUT: file("output"),
        GITHUB_STEP_SUMMARY: file("summary")
      }
    )
    log += printed
    if (code !== 0) context.failed = true
    if (step.id !== undefined)
      steps[step.id] = {
        outputs: Object.fromEntries(
          readFileSync(file("output"), "utf8")
            .split("\n")
            .filter((line) => line.includes("="))
            .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
        )
      }
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value, context)])
  )
  return { failed: context.failed, ran, outputs, log, summary: readFileSync(file("summary"), "utf8") }
}

interface Context {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly github: Readonly<Record<string, unknown>>
  readonly steps: Readonly<Record<string, unknown>>
  readonly failed: boolean
}

/** A text with its `${{ … }}`. */
const filled = (text: string, context: Context): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const value = evaluated(expression, context)
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : ""
  })

/** An expression of GitHub's; what is missing is the empty text. */
const evaluated = (expression: string, context: Context): unknown => {
  const code = expression.replaceAll(
    /'((?:[^']|'')*)'|\b(?:inputs|github|steps)(?:\.[\w-]+)+|[!=]=/g,
    (token, text: string | undefined) => {
      if (text !== undefined) return JSON.stringify(text.replaceAll("''", "'"))
      return token.endsWith("=") ? `${token}=` : `at(${JSON.stringify(token.split("."))})`
    }
  )
  const at = (path: ReadonlyArray<string>): unknown =>
    path.reduce(
      (value: unknown, name) => (typeof value === "object" && value !== null ? (Reflect.get(value, name) ?? "") : ""),
      context
    )
  const format = (text: string, ...values: ReadonlyArray<unknown>): string =>
    text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]))
  return runInNewContext(code, { at, format, always: () => true, success: () => !context.failed })
}

/** As `shell: bash` of a step. */
const bash = (
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>
): Promise<{ readonly code: number | null; readonly printed: string }> =>
  new Promise((done) => {
    const child = execFile(
      "bash",
      ["--noprofile", "--norc", "-e", "-o", "pipefail", script],
      { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 2 ** 20 },
      (_, stdout, stderr) => done({ code: child.exitCode, printed: stdout + stderr })
    )
  })
