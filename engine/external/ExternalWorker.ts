import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import { isBuiltin, registerHooks } from "node:module"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import { uncertainRecord } from "../plugin/Fact.ts"
import {
  type ExternalAnswer,
  type ExternalMessage,
  type ExternalTask,
  NO_FINDING,
  type SiteCall
} from "./ExternalMessage.ts"
import { register } from "../plugin/Registry.ts"
import { normalise } from "../evidence/Address.ts"
import type { Budget } from "../evidence/AuditBudget.ts"
import { type Base, usingEach } from "../site/base/Derivation.ts"
import type { DerivationName, DerivedValues, Site } from "../site/Site.ts"

// The thread of an external plugin: it loads the module, describes or runs the plugin, and ends.

const task: ExternalTask = workerData

// Node has read it, and a plugin is told nothing of the machine.
delete process.env["NODE_COMPILE_CACHE"]

const say = (message: ExternalMessage): void => parentPort?.postMessage(message)

const waiting = new Map<number, (value: unknown) => void>()

parentPort?.on("message", ({ call, value }: ExternalAnswer) => {
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
    Effect.map(({ facts, filesCut = 0, findings, unanswered = [], uncertain = {} }) =>
      say(
        findings.length === 0
          ? { _tag: "Failed", message: NO_FINDING }
          : { _tag: "Measured", facts, uncertain: uncertainRecord(uncertain), unanswered, filesCut, findings }
      )
    ),
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

/** Calls the main thread, which replies with the value of the site's member with this name. */
type CallSite = <A>(name: SiteCall, argument?: unknown) => Effect.Effect<A>

/** The site as a plugin in another thread sees it: the same members, each answered by the main thread. */
const remoteSite = (
  {
    base,
    date,
    derivations
  }: { readonly base: Base; readonly date: string; readonly derivations: ReadonlyArray<DerivationName> },
  call: CallSite
): Site => ({
  base,
  date,
  ...usingEach<DerivedValues>(derivations, <Name extends DerivationName>(name: Name) =>
    Effect.runSync(Effect.cached(call<DerivedValues[Name]>(name)))
  ),
  get: (ask) => call("get", ask),
  getAll: (asks) => call("getAll", asks),
  read: (answer) => call("read", answer),
  select: (answer, selector) => call("select", { answer, selector }),
  specPlaces: (query) => call("specPlaces", query),
  resolve: (href, from) => normalise(href, from)
})

/** Modules of Node that only compute. */
const HARMLESS: ReadonlySet<string> = new Set([
  "assert",
  "buffer",
  "events",
  "path",
  "path/posix",
  "punycode",
  "querystring",
  "string_decoder",
  "url",
  "util"
])

/** Ways to the network that need no import. */
const CLIENTS = ["fetch", "WebSocket", "EventSource"]

/** What this program consists of, and its libraries: they read the site for the plugin. */
const OWN_FOLDER = new URL(import.meta.url.endsWith(".ts") ? "../" : "./", import.meta.url).href

/**
 * Keeps an external plugin to the site that it is given: without network, file system, processes and threads of its own,
 * which no archive records and no replay repeats. It holds authors to the rules of a plugin; it is no sandbox for hostile
 * code, which `--allow-plugins` lets in.
 */
const keepToTheSite = (module: string): void => {
  const folder = packageOf(module)
  registerHooks({
    resolve: (specifier, context, next) => {
      if (isBuiltin(specifier) && !HARMLESS.has(specifier.replace(/^node:/, "")) && isOf(folder, context.parentURL))
        throw new Error(`it uses ${specifier}: a plugin reads the site and nothing else`)
      return next(specifier, context)
    }
  })
  for (const name of CLIENTS) Object.defineProperty(globalThis, name, { configurable: true, value: refusing(name) })
  process.getBuiltinModule = refusing("process.getBuiltinModule")
}

const refusing = (name: string) =>
  function (): never {
    throw new Error(`it uses ${name}: a plugin reads the site and nothing else`)
  }

/** Of a plugin in a package its folder; of one that a rubric names by path "", all that is no package. */
const packageOf = (module: string): string => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(module)?.[0] ?? ""

/** Whether a file is the plugin's own: of its package, and neither ours nor a library's. */
const isOfPlugin = (module: string, file: string): boolean => isOf(packageOf(module), file)

const isOf = (folder: string, parent: string | undefined): boolean =>
  parent !== undefined &&
  parent.startsWith(folder) &&
  !parent.startsWith(OWN_FOLDER) &&
  !parent.slice(folder.length).includes("/node_modules/")

const exit = await Effect.runPromiseExit(work)

/** A line of a stack: `at name (file:///…:12:5)`. */
const FRAME = /(file:\/\/[^\s()]+):(\d+):(\d+)\)?$/

/** Where a plugin failed, to follow its message: ` (index.js:12:5)`, from the folder of its module; empty where the stack does not tell. */
const failurePlace = (stack: string, module: string): string => {
  const frames = stack.split("\n").map((line) => FRAME.exec(line.slice(0, 2_000)))
  const own = frames.find((frame) => frame?.[1] !== undefined && isOfPlugin(module, frame[1]))
  const [, url = "", line = "", column = ""] = own ?? []
  if (url === "") return ""
  const folder = module.slice(0, module.lastIndexOf("/") + 1)
  const path = url.startsWith(folder)
    ? decodeURIComponent(url.slice(folder.length))
    : fileURLToPath(url).replace(/^.*[\\/]/, "")
  return ` (${path}:${line}:${column})`
}
if (Exit.isFailure(exit)) {
  say({ _tag: "Failed", message: messageOf(Cause.squash(exit.cause)) })
}
parentPort?.unref()
