import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import type { Budget } from "../evidence/AuditBudget.ts"
import { findingFaults } from "../criterion/MeasurementCheck.ts"
import { register } from "../criterion/Registry.ts"
import { uncertainRecord } from "../criterion/Uncertain.ts"
import { failurePlace } from "./FailurePlace.ts"
import { keepToTheSite } from "./OutsideBounds.ts"
import type { OutsideAnswer, OutsideMessage, OutsideTask } from "./OutsideMessage.ts"
import { type CallSite, remoteSite } from "./RemoteSite.ts"

// The thread of an external plugin: it loads the module, describes or runs the plugin, and ends.

const task: OutsideTask = workerData

// Node has read it, and a plugin is told nothing of the machine.
delete process.env["NODE_COMPILE_CACHE"]

const say = (message: OutsideMessage): void => parentPort?.postMessage(message)

const waiting = new Map<number, (value: unknown) => void>()

parentPort?.on("message", ({ call, value }: OutsideAnswer) => {
  waiting.get(call)?.(value)
  waiting.delete(call)
})

let calls = 0

const callSite: CallSite = <A>(name: Parameters<CallSite>[0], argument?: unknown) =>
  Effect.callback<A>((resume) => {
    const call = calls++
    // The reply is the value of the member with this name, because both threads run the same program.
    waiting.set(call, (value) => resume(Effect.succeed(value as A)))
    say({ _tag: "Call", call, name, argument })
  })

type Plugin = Parameters<typeof register>[0]

const isPlugin = (value: unknown): value is Plugin =>
  Predicate.hasProperty(value, "id") &&
  Predicate.hasProperty(value, "facts") &&
  Predicate.hasProperty(value, "params") &&
  Predicate.hasProperty(value, "measure") &&
  typeof value.measure === "function"

/** The default for a plugin written in JavaScript that declares none. */
const DEFAULT_BUDGET: Budget = { requests: 5, megabytes: 1 }

/** Why the module has no plugin of that name, and which it has. */
const unnamed = (module: Readonly<Record<string, unknown>>, exported: string | null): string => {
  const ids = pluginsIn(module).map(({ value }) => value.id)
  if (ids.length === 0) return unfinished(module) ?? "the module exports no plugin"
  return exported === null
    ? `the module has several and the rubric names none; write one of them behind a "#": ${ids.join(", ")}`
    : `the module has no plugin "${exported}"; it has ${ids.join(", ")}`
}

/** What an export lacks that is meant as a plugin; `null`: there is none. */
const unfinished = (module: Readonly<Record<string, unknown>>): string | null => {
  const meant = Object.entries(module).find(
    ([, value]) => Predicate.hasProperty(value, "id") && Predicate.hasProperty(value, "measure")
  )
  if (meant === undefined) return null
  const [name, value] = meant
  const lacking = ["facts", "params"].filter((key) => !Predicate.hasProperty(value, key))
  return lacking.length === 0
    ? `"measure" of its export "${name}" is no function`
    : `its export "${name}" lacks ${lacking.join(" and ")}; a plugin without params has params: Schema.Struct({})`
}

const pluginsIn = (module: Readonly<Record<string, unknown>>) =>
  Object.entries(module).flatMap(([name, value]) => (isPlugin(value) ? [{ name, value }] : []))

/** The export with this name, or whose plugin has this id; without a name the module's only plugin. */
const pluginOf = (module: Readonly<Record<string, unknown>>, exported: string | null): Plugin | null => {
  const plugins = pluginsIn(module)
  if (exported === null) return plugins.length === 1 ? (plugins[0]?.value ?? null) : null
  return plugins.find(({ name, value }) => name === exported || value.id === exported)?.value ?? null
}

const standardIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const paramsFaultsOf = (issue: SchemaIssue.Issue) =>
  standardIssues(issue).issues.map(({ message, path = [] }) => ({
    message: message.slice(0, 1).toLowerCase() + message.slice(1),
    path: path
      .map((step) => (typeof step === "object" ? step.key : step))
      .map((key) => (typeof key === "symbol" ? String(key) : key))
  }))

const work = Effect.gen(function* () {
  keepToTheSite(task.module)
  const module = yield* Effect.promise((): Promise<Readonly<Record<string, unknown>>> => import(task.module)).pipe(
    Effect.catchDefect((fault) =>
      Effect.die(isUnreadable(fault) ? new Error(unreadable(fault), { cause: fault }) : fault)
    )
  )
  say({ _tag: "Loaded" })
  const plugin = pluginOf(module, task.exported)
  if (plugin === null) return say({ _tag: "Failed", message: unnamed(module, task.exported) })
  const budget: Budget = Predicate.hasProperty(plugin, "budget") ? plugin.budget : DEFAULT_BUDGET
  const bound = register({ ...plugin, budget }).bind(task.params)
  if (task.site === null) {
    return say({
      _tag: "Described",
      id: plugin.id,
      revision: plugin.revision,
      facts: plugin.facts,
      budget,
      paramsFaults: Result.isFailure(bound) ? paramsFaultsOf(bound.failure) : []
    })
  }
  if (Result.isFailure(bound)) return say({ _tag: "Failed", message: "its params are invalid" })
  const site = remoteSite(task.site, callSite)
  return yield* bound.success.measure(site).pipe(
    Effect.map(({ facts, filesCut = 0, findings, unanswered = [], uncertain = {} }) => {
      const [fault] = findings.length === 0 ? findingFaults(findings) : []
      return say(
        fault === undefined
          ? { _tag: "Measured", facts, uncertain: uncertainRecord(uncertain), unanswered, filesCut, findings }
          : { _tag: "Failed", message: fault }
      )
    }),
    Effect.catchTag("Unobtainable", ({ exchange, message }) =>
      Effect.sync(() => say({ _tag: "Unobtainable", message, exchange }))
    )
  )
})

/** A module that is no JavaScript, or that imports from where plugins do not. */
const isUnreadable = (fault: unknown): fault is Error =>
  fault instanceof SyntaxError || (fault instanceof Error && importsEffect(fault))

const importsEffect = ({ message }: Error): boolean => message.startsWith("Cannot find package 'effect'")

/** Node tells the line of a syntax error only where it prints the error itself. */
const unreadable = (fault: Error): string => {
  if (importsEffect(fault)) return 'it imports from "effect": import { Effect, Schema } from "docgauge/plugin" instead'
  return fault.message.includes("module 'docgauge' does not provide")
    ? `${fault.message}: import it from "docgauge/plugin" instead`
    : `${fault.message} (to see where: node ${fileURLToPath(task.module)})`
}

/** A sentence follows, which ends in a stop of its own. */
const withoutStop = (message: string): string => (message.endsWith(".") ? message.slice(0, -1) : message)

const messageOf = (fault: unknown): string =>
  fault instanceof Error
    ? `${withoutStop(fault.message)}${failurePlace(fault.stack ?? "", task.module)}`
    : String(fault)

const exit = await Effect.runPromiseExit(work)
if (Exit.isFailure(exit)) {
  say({ _tag: "Failed", message: messageOf(Cause.squash(exit.cause)) })
}
parentPort?.unref()
