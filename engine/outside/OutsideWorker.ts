import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import { parentPort, workerData } from "node:worker_threads"
import { register } from "../criterion/Registry.ts"
import type { OutsideAnswer, OutsideMessage, OutsideTask } from "./OutsideMessage.ts"
import { type CallSite, remoteSite } from "./RemoteSite.ts"

// The thread that a plugin from outside runs in: it loads the module, describes the plugin or lets it measure, and ends.

const task: OutsideTask = workerData

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
    // What the main thread answers is the member of that name: the two are one program.
    waiting.set(call, (value) => resume(Effect.succeed(value as A)))
    say({ _tag: "Call", call, name, argument })
  })

type Plugin = Parameters<typeof register>[0]

const isPlugin = (value: unknown): value is Plugin =>
  Predicate.hasProperty(value, "id") && Predicate.hasProperty(value, "facts") && Predicate.hasProperty(value, "params") &&
  Predicate.hasProperty(value, "measure") && typeof value.measure === "function"

/** The export that is named, or whose plugin has that id; else the only plugin of the module. */
const pluginOf = (module: Readonly<Record<string, unknown>>, exported: string | null): Plugin | null => {
  const plugins = Object.entries(module).flatMap(([name, value]) => (isPlugin(value) ? [{ name, value }] : []))
  if (exported === null) return plugins.length === 1 ? plugins[0]?.value ?? null : null
  return plugins.find(({ name, value }) => name === exported || value.id === exported)?.value ?? null
}

const work = Effect.gen(function*() {
  const module = yield* Effect.promise((): Promise<Readonly<Record<string, unknown>>> => import(task.module))
  const plugin = pluginOf(module, task.exported)
  if (plugin === null) return say({ _tag: "Failed", message: "the module has no plugin of that name, or several and none is named" })
  const bound = register(plugin).bind(task.params)
  if (task.site === null) {
    return say({
      _tag: "Described",
      id: plugin.id,
      revision: plugin.revision,
      facts: plugin.facts,
      paramsFault: Result.isFailure(bound) ? SchemaIssue.makeFormatterDefault()(bound.failure) : null
    })
  }
  if (Result.isFailure(bound)) return say({ _tag: "Failed", message: "its params do not fit" })
  const site = yield* remoteSite(task.site.base, task.site.date, callSite)
  return yield* bound.success.measure(site).pipe(
    Effect.map(({ facts, findings: [first, ...others] }) => say({ _tag: "Measured", facts, findings: [first, ...others] })),
    Effect.catchTag("Unobtainable", ({ exchange, message }) => Effect.sync(() => say({ _tag: "Unobtainable", message, exchange })))
  )
})

const exit = await Effect.runPromiseExit(work)
if (Exit.isFailure(exit)) {
  const fault = Cause.squash(exit.cause)
  say({ _tag: "Failed", message: fault instanceof Error ? fault.message : String(fault) })
}
parentPort?.unref()
