import * as McpProtocol from "effect/ai/McpProtocol"
import { InvalidParams } from "effect/ai/McpSchema"
import * as Effect from "effect/Effect"

/*
 * Effect's implementations of the protocol revisions, with two corrections. Effect always announces logging, subscriptions
 * and list changes, which this server does not have. It also ignores cursors: no list here has a second page, so every
 * cursor is invalid, and the specification requires -32602 for it.
 */

type Handler = (request: unknown, options: unknown) => Effect.Effect<unknown, unknown, unknown>

/** The target into which a revision's adapter installs its handlers. */
interface HandlerTarget {
  readonly context: unknown
  readonly install: (
    protocol: unknown,
    rpcs: unknown,
    handlers: Readonly<Record<string, Handler>>
  ) => Effect.Effect<void>
}

const LISTS: ReadonlySet<string> = new Set(["tools/list", "resources/list", "resources/templates/list", "prompts/list"])

const LISTED: ReadonlySet<string> = new Set(["tools", "resources", "prompts"])

/** Methods whose result announces capabilities: one of revisions with sessions, one of those without. */
const ANNOUNCEMENTS: ReadonlySet<string> = new Set(["initialize", "server/discover"])

const corrected = <P extends McpProtocol.ProtocolAdapter>(protocol: P): P => ({
  ...protocol,
  installHandlers: (core: unknown, lifecycle: unknown, target: HandlerTarget) =>
    protocol.installHandlers(core, lifecycle, {
      ...target,
      install: (...[adapter, rpcs, handlers]: Parameters<HandlerTarget["install"]>) =>
        target.install(adapter, rpcs, correctHandlers(handlers))
    })
})

const correctHandlers = (handlers: Readonly<Record<string, Handler>>): Readonly<Record<string, Handler>> =>
  Object.fromEntries(
    Object.entries(handlers).map(([method, handle]) => {
      if (LISTS.has(method)) return [method, refusingCursors(handle)]
      return [method, ANNOUNCEMENTS.has(method) ? withFewerCapabilities(handle) : handle]
    })
  )

const refusingCursors =
  (handle: Handler): Handler =>
  (request, options) =>
    isRecord(request) && request["cursor"] !== undefined
      ? Effect.fail(
          new InvalidParams({
            message: "Invalid cursor: all items are on the first page. Repeat the request without a cursor."
          })
        )
      : handle(request, options)

const withFewerCapabilities =
  (handle: Handler): Handler =>
  (request, options) =>
    Effect.map(handle(request, options), (result) =>
      isRecord(result) && isRecord(result["capabilities"])
        ? { ...result, capabilities: fewerCapabilities(result["capabilities"]) }
        : result
    )

/** Without logging, and without options of tools, resources and prompts. */
const fewerCapabilities = (capabilities: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(capabilities)
      .filter(([name]) => name !== "logging")
      .map(([name, value]) => [name, LISTED.has(name) ? {} : value])
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Newest first. A client that requests a session in an unknown revision gets the newest revision with sessions. */
export const protocols = [
  corrected(McpProtocol.v2026_07_28),
  corrected(McpProtocol.v2025_11_25),
  corrected(McpProtocol.v2025_06_18),
  corrected(McpProtocol.v2025_03_26),
  corrected(McpProtocol.v2024_11_05)
] as const
