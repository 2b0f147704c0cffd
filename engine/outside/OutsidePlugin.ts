import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { Worker } from "node:worker_threads"
import { type Measurement, Unobtainable } from "../criterion/Criterion.ts"
import type { FactFields, FactRecord } from "../criterion/Fact.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import type { Answer } from "../evidence/Exchange.ts"
import type { KnownPlugin } from "../rubric/PluginRules.ts"
import type { Site } from "../site/Site.ts"
import { OutsideMessage, type OutsideTask, type SITE_CALLS } from "./OutsideMessage.ts"
import type { OutsideReference } from "./OutsideReference.ts"

/** A plugin from outside that cannot be used, or failed while it measured. `message` is one plain clause. */
export class OutsideFault extends Schema.TaggedError<OutsideFault>()("OutsideFault", { message: Schema.String }) {}

/** How long a plugin may keep its thread without asking for anything, in milliseconds. */
const SILENCE = 10_000

const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

const entry = new URL(`./OutsideWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

const readMessage = Schema.decodeUnknownOption(OutsideMessage)

type Final = Exclude<OutsideMessage, { readonly _tag: "Call" }>

/**
 * Runs a task in a thread of its own until it says its last word. A thread that dies, says nonsense, or is silent for
 * ten seconds while nobody owes it an answer (an endless loop) is ended. Interrupting ends it, too.
 */
const converse = (task: OutsideTask, answer: (call: Extract<OutsideMessage, { readonly _tag: "Call" }>) => Effect.Effect<unknown>) =>
  Effect.callback<Final, OutsideFault>((resume) => {
    const worker = new Worker(entry, { workerData: task, resourceLimits: MEMORY, stdout: true, stderr: true, env: {} })
    const answering = new Set<Fiber.Fiber<unknown>>()
    let patience: NodeJS.Timeout | undefined
    const settle = (outcome: Effect.Effect<Final, OutsideFault>): void => {
      clearTimeout(patience)
      for (const fiber of answering) fiber.interruptUnsafe()
      worker.removeAllListeners()
      worker.on("error", () => undefined)
      void worker.terminate()
      resume(outcome)
    }
    const fail = (message: string): void => settle(Effect.fail(new OutsideFault({ message })))
    const wait = (): void => {
      clearTimeout(patience)
      if (answering.size === 0) patience = setTimeout(() => fail(`it did not answer for ${SILENCE / 1_000} s`), SILENCE)
    }
    worker.on("message", (received: unknown) => {
      const message = Option.getOrNull(readMessage(received))
      if (message === null) return fail("it gave back something that is no measurement")
      if (message._tag !== "Call") return settle(Effect.succeed(message))
      clearTimeout(patience)
      const fiber = Effect.runFork(answer(message))
      answering.add(fiber)
      fiber.addObserver((exit) => {
        answering.delete(fiber)
        if (exit._tag === "Success") worker.postMessage({ call: message.call, value: exit.value })
        wait()
      })
    })
    worker.on("error", (error) => fail(error instanceof Error ? error.message : "its thread failed"))
    worker.on("exit", () => fail("its thread ended without a result"))
    wait()
    return Effect.sync(() => settle(Effect.interrupt))
  })

const nobody = () => Effect.interrupt

/** Loads the module in a thread of its own, once, to learn what the plugin measures and whether it takes these params. */
export const describeOutside = Effect.fn("OutsidePlugin.describe")(function*(
  reference: OutsideReference,
  params: unknown
): Effect.fn.Return<KnownPlugin<BoundCriterion>, OutsideFault> {
  const { exported, module } = reference
  const described = yield* converse({ module: module.href, exported, params, site: null }, nobody)
  if (described._tag !== "Described") {
    return yield* new OutsideFault({ message: described._tag === "Failed" ? described.message : "it does not describe itself" })
  }
  const { facts, paramsFault, revision } = described
  const Params = paramsFault === null ? Schema.Unknown : Schema.Unknown.check(Schema.makeFilter(() => paramsFault))
  const decode = SchemaParser.decodeUnknownResult(Params)
  return {
    revision,
    facts,
    outside: true,
    bind: (given) => Result.map(decode(given), (): BoundCriterion => ({ measure: (site) => measureOutside(reference, facts, given, site) }))
  }
})

/** Lets the plugin measure in a thread of its own; whatever goes wrong there makes the criterion inconclusive. */
const measureOutside = Effect.fnUntraced(function*(
  { exported, module, name }: OutsideReference,
  fields: FactFields,
  params: unknown,
  site: Site
): Effect.fn.Return<Measurement<FactRecord>, Unobtainable> {
  const { base, date } = site
  const failed = (message: string) => new Unobtainable({ message: `The plugin ${name} failed: ${message}.`, exchange: base.exchange, fault: "plugin" })
  const task: OutsideTask = { module: module.href, exported, params, site: { base, date } }
  const last = yield* Effect.mapError(converse(task, (call) => answerCall(site, call.name, call.argument)), ({ message }) => failed(message))
  if (last._tag === "Unobtainable") return yield* new Unobtainable({ message: last.message, exchange: last.exchange })
  if (last._tag !== "Measured") return yield* failed(last._tag === "Failed" ? last.message : "it measured nothing")
  const wrong = factsFault(fields, last.facts)
  return wrong === null ? { facts: last.facts, findings: last.findings } : yield* failed(wrong)
})

const answerCall = (site: Site, name: (typeof SITE_CALLS)[number], argument: unknown): Effect.Effect<unknown> => {
  if (name === "get") return readAsk(argument, site.get)
  if (name === "getAll") return Array.isArray(argument) ? Effect.forEach(argument, (ask: unknown) => readAsk(ask, site.get), { concurrency: "unbounded" }) : Effect.succeed([])
  if (name === "read") return isReadable(argument) ? site.read(argument) : Effect.succeed(null)
  return site[name]
}

/** An answer that the thread was given and gives back to be read. */
const isReadable = (value: unknown): value is Answer =>
  Predicate.hasProperty(value, "_tag") && value._tag === "Answer" && Predicate.hasProperty(value, "body") && value.body instanceof Uint8Array &&
  Predicate.hasProperty(value, "url") && typeof value.url === "string" && URL.canParse(value.url) &&
  Predicate.hasProperty(value, "headers") && Array.isArray(value.headers)

const Ask = Schema.Union([
  Schema.String,
  Schema.Struct({
    url: Schema.String,
    method: Schema.optionalKey(Schema.Literals(["GET", "POST"])),
    accept: Schema.optionalKey(Schema.String),
    agent: Schema.optionalKey(Schema.Literals(["docgauge", "browser"])),
    body: Schema.optionalKey(Schema.String),
    limit: Schema.optionalKey(Schema.Literals(["page", "document"]))
  })
])

const decodeAsk = Schema.decodeUnknownOption(Ask)

const readAsk = (ask: unknown, get: Site["get"]): Effect.Effect<unknown> =>
  Option.match(decodeAsk(ask), { onNone: () => get(""), onSome: get })

/** What is wrong with facts that a thread gave back; `null`: they are what the plugin declared. */
const factsFault = (fields: FactFields, facts: FactRecord): string | null => {
  const unknown = Object.keys(facts).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) return `it measured "${unknown}", which it does not declare`
  const wrong = Object.entries(fields).find(([name, fact]) => !fits(fact, facts[name]))
  return wrong === undefined ? null : `its fact "${wrong[0]}" is no ${wrong[1].kind}`
}

const fits = (fact: FactFields[string], value: FactRecord[string] | undefined): boolean => {
  if (fact.kind === "flag") return typeof value === "boolean"
  if (fact.kind === "word") return typeof value === "string" && fact.words.includes(value)
  if (typeof value !== "number") return false
  return fact.kind === "count" ? Number.isSafeInteger(value) && value >= 0 : value >= 0 && value <= 1
}
