import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import process from "node:process"
import { Worker } from "node:worker_threads"
import { type Measurement, Unobtainable } from "../plugin/Criterion.ts"
import type { FactFields, FactRecord } from "../plugin/Fact.ts"
import {
  ExternalMessage,
  type ExternalTask,
  factsFault,
  isAnswerMessage,
  type SiteCall,
  uncertainFault
} from "./ExternalMessage.ts"
import type { BoundCriterion } from "../plugin/Registry.ts"
import type { KnownPlugin } from "../rubric/rules/PluginRules.ts"
import { derivationNames, type Site } from "../site/Site.ts"
import { exceeded, type ThreadTime, type TimeExceeded } from "../worker/ThreadTime.ts"
import { BUFFER_MEGABYTES, HEAP_MEGABYTES, LOOK_EVERY_MS, MOST_CALLS, type ExternalLimits } from "./ExternalLimits.ts"
import { grouped } from "../plugin/Wording.ts"

/** An external plugin, which a rubric names by path (`./criteria/has-glossary.ts`) or package (`@acme/criteria#has-glossary`). */
export interface ExternalReference {
  /** As written in the rubric. */
  readonly name: string
  readonly module: URL
  /** The name of the export; `null`: the module's only plugin. */
  readonly exported: string | null
}

const answersNothing = () => Effect.interrupt

/** Loads the module once in its own thread, to read the plugin's facts and to check these params. */
export const describeExternal = Effect.fn("ExternalPlugin.describe")(function* (
  reference: ExternalReference,
  params: unknown,
  limits: ExternalLimits
): Effect.fn.Return<KnownPlugin<BoundCriterion>, ExternalFault> {
  const { exported, module } = reference
  const described = yield* runExternal({ module: module.href, exported, params, site: null }, limits, answersNothing)
  if (described._tag !== "Described") {
    return yield* new ExternalFault({
      message: described._tag === "Failed" ? described.message : "it did not return a description"
    })
  }
  const { budget, facts, paramsFaults, revision } = described
  const Params = Schema.Unknown.check(
    Schema.makeFilter(() => paramsFaults.map(({ message, path }) => ({ path, issue: message })))
  )
  const decode = SchemaParser.decodeUnknownResult(Params)
  return {
    revision,
    facts,
    external: true,
    bind: (given) =>
      Result.map(decode(given), (): BoundCriterion => ({
        budget: { ...budget, extra: true },
        needsServer: false,
        measure: (site) => measureExternal(reference, limits, facts, given, site)
      }))
  }
})

/** Runs the plugin in its own thread; any failure there makes the criterion inconclusive. */
const measureExternal = Effect.fnUntraced(function* (
  { exported, module, name }: ExternalReference,
  limits: ExternalLimits,
  fields: FactFields,
  params: unknown,
  site: Site
): Effect.fn.Return<Measurement<FactRecord>, Unobtainable> {
  const { base, date } = site
  const failed = (message: string) =>
    new Unobtainable({ message: `The plugin ${name} failed: ${message}.`, exchange: base.exchange, fault: "plugin" })
  const task: ExternalTask = {
    module: module.href,
    exported,
    params,
    site: { base, date, derivations: derivationNames }
  }
  const last = yield* Effect.mapError(
    runExternal(task, limits, (call) => answerCall(site, call.name, call.argument)),
    ({ message }) => failed(message)
  )
  if (last._tag === "Unobtainable") return yield* new Unobtainable({ message: last.message, exchange: last.exchange })
  if (last._tag !== "Measured") return yield* failed(last._tag === "Failed" ? last.message : "it returned no facts")
  const { facts, filesCut, findings, unanswered, uncertain } = last
  const wrong = factsFault(fields, facts) ?? uncertainFault(fields, uncertain)
  return wrong === null ? { facts, uncertain, unanswered, filesCut, findings } : yield* failed(wrong)
})

const answerCall = (site: Site, name: SiteCall, argument: unknown): Effect.Effect<unknown> => {
  if (name === "get") return readAsk(argument, site.get)
  if (name === "getAll")
    return Array.isArray(argument)
      ? Effect.forEach(argument, (ask: unknown) => readAsk(ask, site.get), { concurrency: "unbounded" })
      : Effect.succeed([])
  if (name === "read") return isAnswerMessage(argument) ? site.read(argument) : Effect.succeed(null)
  if (name === "select")
    return isSelection(argument) && isAnswerMessage(argument.answer)
      ? site.select(argument.answer, argument.selector)
      : Effect.die(new Error("site.select takes the answer of a page and a selector"))
  if (name === "specPlaces")
    return isPlaceQuery(argument)
      ? site.specPlaces(argument)
      : Effect.die(new Error("site.specPlaces takes { at: a JSON pointer }, and may take only: a list of names"))
  return site[name]
}

const isSelection = Schema.is(Schema.Struct({ answer: Schema.Unknown, selector: Schema.String }))

const isPlaceQuery = Schema.is(
  Schema.Struct({ at: Schema.String, only: Schema.optionalKey(Schema.Array(Schema.String)) })
)

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

/** An external plugin that cannot be loaded, or failed while measuring. `message` is one clause. */
export class ExternalFault extends Schema.TaggedError<ExternalFault>()("ExternalFault", { message: Schema.String }) {}

/** The part of the heap limit for V8's young generation: a guard, not a tuning. */
const YOUNG_MEGABYTES = 16

const MEMORY = { maxOldGenerationSizeMb: HEAP_MEGABYTES - YOUNG_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES }

const MEGABYTE = 2 ** 20

const entry = new URL(`./ExternalWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** Nothing of the process but where Node keeps compiled code, with which a start takes 0.4 s of processor time instead of 0.6; the thread forgets it before it loads the plugin. */
const environment = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

const readMessage = SchemaParser.decodeUnknownResult(ExternalMessage)

const standardIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Which part of a message is wrong: `it sent an invalid result: budget.megabytes: missing key`. */
const invalidShown = (issue: SchemaIssue.Issue): string => {
  const [first] = standardIssues(issue).issues
  const path = (first?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
  return `it sent an invalid result${path.length === 0 ? "" : `: ${path.join(".")}: ${decapitalised(first?.message ?? "")}`}`
}

const decapitalised = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1, 200)

/** A plugin's call to the site. */
type ExternalCall = Extract<ExternalMessage, { readonly _tag: "Call" }>

/** A thread's result, after which the thread is terminated. */
type ExternalResult = Exclude<ExternalMessage, ExternalCall | { readonly _tag: "Loaded" }>

/**
 * Runs a task in its own thread, and answers its calls, until the thread sends its result. Fails if the thread dies, sends an
 * invalid message, exceeds a limit, or makes no call for too long while it waits for no reply (an endless loop).
 * Loading counts towards the overall limit only. Interrupting terminates the thread.
 */
export const runExternal = (
  task: ExternalTask,
  limits: ExternalLimits,
  answer: (call: ExternalCall) => Effect.Effect<unknown>
): Effect.Effect<ExternalResult, ExternalFault> =>
  Effect.callback((resume) => {
    const worker = new Worker(entry, {
      workerData: task,
      resourceLimits: MEMORY,
      stdout: true,
      stderr: true,
      env: environment()
    })
    const answering = new Set<Fiber.Fiber<unknown>>()
    let calls = 0
    let loaded = false
    let silence: Fiber.Fiber<void> | null = null

    const settle = (outcome: Effect.Effect<ExternalResult, ExternalFault>): void => {
      silence?.interruptUnsafe()
      overall.interruptUnsafe()
      clearInterval(looking)
      for (const fiber of answering) fiber.interruptUnsafe()
      worker.removeAllListeners()
      worker.on("error", () => undefined)
      void worker.terminate()
      resume(outcome)
    }
    const fail = (message: string): void => settle(Effect.fail(new ExternalFault({ message })))
    const watch = (limit: ThreadTime, shown: (passed: TimeExceeded) => string): Fiber.Fiber<void> =>
      Effect.runFork(Effect.map(exceeded(worker, limit), (passed) => fail(shown(passed))))
    const expectMore = (): void => {
      silence?.interruptUnsafe()
      if (answering.size === 0) silence = watch(limits.silence, silenceShown)
    }
    const reply = (message: ExternalCall): void => {
      calls += sizeOf(message)
      if (calls > MOST_CALLS) return fail(`it made more than ${grouped(MOST_CALLS)} calls`)
      silence?.interruptUnsafe()
      const fiber = Effect.runFork(answer(message))
      answering.add(fiber)
      fiber.addObserver((exit) => {
        answering.delete(fiber)
        if (exit._tag === "Success") worker.postMessage({ call: message.call, value: exit.value })
        else if (!Cause.hasInterrupts(exit.cause)) return fail(faultOf(Cause.squash(exit.cause)))
        return expectMore()
      })
    }

    const overall = watch(limits.total, timeShown)
    const look = async (): Promise<void> => {
      if ((await bufferMegabytes(worker)) > BUFFER_MEGABYTES)
        fail(`its buffers needed more than ${BUFFER_MEGABYTES} MB of memory`)
    }
    const looking = setInterval(() => void look(), LOOK_EVERY_MS)
    worker.on("message", (received: unknown) => {
      const read = readMessage(received)
      if (Result.isFailure(read)) return fail(invalidShown(read.failure))
      const message = read.success
      if (message._tag === "Loaded" && loaded) return fail("it sent an invalid result")
      if (message._tag === "Loaded") {
        loaded = true
        return expectMore()
      }
      return message._tag === "Call" ? reply(message) : settle(Effect.succeed(message))
    })
    worker.on("error", (error) => fail(faultOf(error)))
    worker.on("exit", () => fail("its thread ended without a result"))
    return Effect.sync(() => settle(Effect.interrupt))
  })

const timeShown = ({ kind, milliseconds }: TimeExceeded): string =>
  `it ${kind === "cpu" ? "used" : "took"} more than ${milliseconds / 1_000} s${kind === "cpu" ? " of CPU time" : ""}`

const silenceShown = ({ kind, milliseconds }: TimeExceeded): string =>
  kind === "cpu"
    ? `it used more than ${milliseconds / 1_000} s of CPU time without a request to the site`
    : `it made no request to the site for ${milliseconds / 1_000} s`

/** How many calls this one counts as. */
const sizeOf = ({ argument, name }: ExternalCall): number =>
  name === "getAll" && Array.isArray(argument) ? argument.length : 1

/** Works for a busy thread, too; 0 for a thread that has ended. */
const bufferMegabytes = (worker: Worker): Promise<number> =>
  worker.getHeapStatistics().then(
    ({ external_memory }) => external_memory / MEGABYTE,
    () => 0
  )

const faultOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "its thread failed"
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? `it needed more than ${HEAP_MEGABYTES} MB of memory`
    : error.message
}
