import { layerHttp } from "effect/ai/McpServer"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import { appendPreResponseHandler } from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeMemoryBuckets } from "../../engine/limit/MemoryBuckets.ts"
import { verdictOf } from "../../engine/limit/Verdict.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { Clients } from "../http/Clients.ts"
import { refusedAnswer } from "../http/Refusals.ts"
import { countRefusal } from "../observe/MeteredLimits.ts"
import { AccessTokens, type Bearer } from "../oauth/AccessTokens.ts"
import { pathOf } from "../oauth/Discovery.ts"
import { OAuthSettings } from "../oauth/OAuthSettings.ts"
import { type BadBody, readText } from "../oauth/SmallBody.ts"
import type { Audits } from "./Audits.ts"
import { makeBearerCheck } from "./BearerCheck.ts"
import { isWithinDepth } from "./JsonDepth.ts"
import { McpCaller, registeredClient } from "./McpCaller.ts"
import { registrations } from "./Registrations.ts"
import type { RubricBook } from "./RubricBook.ts"
import { serverInfo } from "./ServerInfo.ts"
import { makeSessionOwners, SESSION_BOUNDS } from "./SessionOwners.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** The largest message in bytes, and the most in one batch. */
const MOST_BYTES = 64 * 1_024
const MOST_IN_BATCH = 20

/** Messages of one registered client. */
const MESSAGE_RATE = { amount: 300, windowMs: 60_000 }

const SESSION_HEADER = "mcp-session-id"
const REVISION_HEADER = "mcp-protocol-version"

/** How often idle sessions are looked for. */
const IDLE_INTERVAL = "5 minutes"

/**
 * The MCP server at {mcp_url}, over Streamable HTTP. What this adds to the protocol's own transport: it lets in who holds
 * a token, bounds what they send, and sees to it that sessions have owners and an end.
 */
export const mcpEndpoint: Layer.Layer<
  never,
  never,
  HttpRouter.HttpRouter | Clients | OAuthSettings | AccessTokens | Audits | RubricBook
> = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const options = yield* OAuthSettings
  const clients = yield* Clients
  const check = makeBearerCheck(yield* AccessTokens, options)
  const path: `/${string}` = `/${pathOf(options.resource).slice(1)}`
  const origins = [...new Set([options.resource, options.authorizeUrl].map((address) => new URL(address).origin))]
  const protocol = yield* HttpRouter.toHttpEffect(layerHttp({
    ...serverInfo,
    path,
    allowedOrigins: origins,
    allowSessionTermination: true,
    allowSubscriptions: false,
    registrations
  })).pipe(Effect.orDie)
  const buckets = makeMemoryBuckets(MESSAGE_RATE)
  const owners = makeSessionOwners(SESSION_BOUNDS)

  const inProtocol = (request: Request) => protocol.pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request), Effect.orDie)

  /** The protocol forgets a session only where it is told to as a client would. */
  const endSession = (sessionId: string) =>
    Effect.scoped(inProtocol(HttpServerRequest.fromWeb(new globalThis.Request(options.resource, { method: "DELETE", headers: { [SESSION_HEADER]: sessionId } }))))

  yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
    yield* Effect.sleep(IDLE_INTERVAL)
    yield* Effect.forEach(owners.idle(yield* Clock.currentTimeMillis), endSession, { discard: true })
  })))

  /** The protocol names a new session only as its answer leaves. */
  const noteOpened = ({ headers }: Response, grant: string, now: number) => {
    const opened = headers[SESSION_HEADER]
    if (opened === undefined) return Effect.void
    return Effect.forEach(owners.opened(opened, grant, headers[REVISION_HEADER] ?? "", now), endSession, { discard: true })
  }

  const converse = Effect.fnUntraced(function*(received: Request, { client, grant }: Bearer) {
    const now = yield* Clock.currentTimeMillis
    const registered = registeredClient(client)
    const verdict = verdictOf("mcp", MESSAGE_RATE, 1, buckets.take(registered.rateKey, 1, now))
    if (verdict._tag === "Refusal") return yield* Effect.as(countRefusal(verdict), refusedAnswer(verdict))
    const sessionId = received.headers[SESSION_HEADER]
    const revision = sessionId === undefined ? null : owners.revisionOf(sessionId, grant, now)
    if (sessionId !== undefined && revision === null) return NO_SESSION
    const request = revision === null ? received : inRevision(received, revision)
    if (request.method === "POST") {
      const text = yield* readText(request, "application/json", MOST_BYTES)
      if (!isWithinDepth(text) || countBatch(text) > MOST_IN_BATCH) return MALFORMED
    }
    const response = yield* Effect.provideService(inProtocol(request), McpCaller, { address: clients.of(request), registered })
    if (sessionId === undefined) yield* appendPreResponseHandler((_, sent) => Effect.as(noteOpened(sent, grant, now), sent))
    if (request.method === "DELETE" && response.status === 204 && sessionId !== undefined) owners.ended(sessionId)
    return response
  })

  const answer = Effect.fnUntraced(function*(request: Request) {
    const { origin } = request.headers
    if (origin !== undefined && !origins.includes(origin)) return FORBIDDEN
    const checked = yield* check(request)
    if (Result.isFailure(checked)) return checked.failure
    return yield* converse(request, checked.success)
  }, Effect.catchTags({
    BadBody: ({ message, status }: BadBody) => Effect.succeed(rpcError(status, -32_600, message)),
    StoreUnavailable: (reason: StoreUnavailable) => Effect.as(Effect.logWarning("the store cannot be used", reason), UNAVAILABLE)
  }))

  for (const method of ["GET", "POST", "DELETE"] as const) yield* router.add(method, path, answer)
}))

const REVISIONS: ReadonlySet<string> = new Set(serverInfo.protocols.map(({ protocolVersion }) => protocolVersion))

/** A session speaks the revision that was agreed on. Clients that name another one of ours mean no other; one that is not ours stays wrong. */
const inRevision = (request: Request, revision: string): Request =>
  REVISIONS.has(request.headers[REVISION_HEADER] ?? "")
    ? request.modify({ headers: Headers.set(request.headers, REVISION_HEADER, revision) })
    : request

const rpcError = (status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", id: null, error: { code, message } }, { status, headers: { "cache-control": "no-store", ...headers } })

const FORBIDDEN = rpcError(403, -32_000, "Pages of other origins may not speak to this server.")
const NO_SESSION = rpcError(404, -32_001, "There is no such session: send initialize to begin one.")
const MALFORMED = rpcError(400, -32_600, `A message nests no deeper than 64 levels, and a batch has ${MOST_IN_BATCH} messages at most.`)
const UNAVAILABLE = rpcError(503, -32_002, "The service cannot do it at the moment.", { "retry-after": "5" })

/** How many messages a body holds; what is no JSON holds one, and the protocol says what is wrong with it. */
const countBatch = (text: string): number => {
  if (!text.trimStart().startsWith("[")) return 1
  try {
    const messages: unknown = JSON.parse(text)
    return Array.isArray(messages) ? messages.length : 1
  } catch {
    return 1
  }
}
