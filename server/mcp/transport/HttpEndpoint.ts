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
import { type LimitRefusal, rateLimitHeaders } from "../../../engine/limit/LimitDecision.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isWithinDepth, MOST_CLIENT_DEPTH, parsedJson } from "../../../engine/text/JsonText.ts"
import { tooManyRequests } from "../../http/errors/Refusals.ts"
import { Clients } from "../../http/request/Clients.ts"
import { AccessTokens, type Bearer } from "../../oauth/AccessTokens.ts"
import { Seals } from "../../oauth/OAuthKeys.ts"
import { basePathOf, type OAuthOptions, OAuthSettings, resourceMetadataUrl, SCOPE } from "../../oauth/OAuthSettings.ts"
import { type BadBody, readText } from "../../http/request/RequestBody.ts"
import { countRefusal } from "../../observe/Metered.ts"
import type { Audits } from "../audits/Audits.ts"
import { callerOf, McpCaller } from "../audits/ServiceAudits.ts"
import { registrations, type RubricBook } from "../features/Resources.ts"
import { McpLimits } from "./McpLimits.ts"
import { serverInfo } from "./ServerInfo.ts"
import {
  makeProtocolSessions,
  makeSessions,
  type Session,
  SESSION_BOUNDS,
  SESSION_IDLE_MS,
  type Use
} from "./Sessions.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** The largest message in bytes, and the most in one batch. */
const MOST_BYTES = 64 * 1_024
const MOST_IN_BATCH = 20

const SESSION_HEADER = "mcp-session-id"
const REVISION_HEADER = "mcp-protocol-version"

/** How often idle sessions are dropped. */
const IDLE_INTERVAL = "5 minutes"

/**
 * An error of the endpoint itself, outside the protocol: a JSON-RPC error without an id, as the body of a response with an
 * HTTP status. Codes from -32000 to -32019 are the server's own; -32002 is left out, because revisions with sessions use it
 * for a missing resource.
 */
const rpcError = (status: number, code: number, message: string, { data, headers }: Details = {}): Response =>
  HttpServerResponse.jsonUnsafe(
    { jsonrpc: "2.0", id: null, error: { code, message, ...(data === undefined ? {} : { data }) } },
    { status, headers: { "cache-control": "no-store", ...headers } }
  )

interface Details {
  readonly data?: object
  readonly headers?: Readonly<Record<string, string>>
}

const FORBIDDEN = rpcError(403, -32_000, "Pages of other origins cannot use this server.")
const NO_SESSION = rpcError(404, -32_001, "This session does not exist. Send initialize to start one.")
const NO_INITIALIZE = rpcError(
  400,
  -32_600,
  "There is no session. Send initialize first, and its Mcp-Session-Id with every message after that."
)
const NO_BATCH = rpcError(400, -32_600, "Send one JSON-RPC message, not a batch or an empty body.")
const NOT_ACCEPTED = rpcError(
  406,
  -32_600,
  "Send the header Accept: application/json, text/event-stream. The server answers in either."
)
const UNAVAILABLE = rpcError(503, -32_003, "The service is not available at the moment. Try again in 5 seconds.", {
  headers: { "retry-after": "5" }
})

/**
 * Effect's transport answers some errors, which authors of clients meet first, with a status alone: with what to do instead. And proxies
 * such as nginx hold an event stream back until it ends, unless it says that they must not.
 */
const explained = (request: Request, response: Response): Response => {
  const type =
    response.headers["content-type"] ?? (response.body._tag === "Empty" ? "" : (response.body.contentType ?? ""))
  if (type.startsWith("text/event-stream")) return HttpServerResponse.setHeaders(response, EVENT_STREAM)
  return response.body._tag === "Empty"
    ? HttpServerResponse.setHeaders(explanationOf(request, response), response.headers)
    : response
}

const explanationOf = (request: Request, response: Response): Response => {
  switch (response.status) {
    case 400:
      return request.headers[SESSION_HEADER] === undefined ? NO_INITIALIZE : NO_BATCH
    case 404:
      return NO_SESSION
    case 406:
      return NOT_ACCEPTED
    default:
      return response
  }
}

const EVENT_STREAM = { "cache-control": "no-cache", "x-accel-buffering": "no" } as const

/** A limit's refusal: `data` holds what the HTTP API answers with. */
const rateLimitError = (refusal: LimitRefusal): Response => {
  const { code, error, retry_after } = tooManyRequests(refusal)
  return rpcError(429, -32_005, error, { data: { code, retry_after }, headers: rateLimitHeaders(refusal) })
}

const TOKEN = /^bearer +([\w~+/.-]+=*)$/i

/** Authenticates a request by its token, or returns the 401 or 403 with a challenge (RFC 6750, RFC 9728). */
export const makeBearerCheck = (tokens: AccessTokens["Service"], options: OAuthOptions) => {
  const challenge = (status: 401 | 403, error: string | null, description: string): Response => {
    const parameters = [
      ...(error === null ? [] : [`error="${error}"`, `error_description="${description}"`]),
      `resource_metadata="${resourceMetadataUrl(options)}"`,
      `scope="${SCOPE}"`
    ]
    return HttpServerResponse.jsonUnsafe(
      { error: error ?? "unauthorized", error_description: description },
      {
        status,
        headers: { "www-authenticate": `Bearer ${parameters.join(", ")}`, "cache-control": "no-store" }
      }
    )
  }
  const missing = challenge(
    401,
    null,
    "a bearer token is required; the resource metadata says where to get one without an account"
  )
  const invalid = challenge(401, "invalid_token", "the token is not valid here, or expired")
  const insufficient = challenge(403, "insufficient_scope", "the token does not have the scope of this resource")

  return Effect.fnUntraced(function* ({
    headers
  }: HttpServerRequest.HttpServerRequest): Effect.fn.Return<Result.Result<Bearer, Response>, StoreUnavailable> {
    const { authorization } = headers
    if (authorization === undefined) return Result.fail(missing)
    const [, token] = TOKEN.exec(authorization) ?? []
    const bearer = token === undefined ? null : yield* tokens.check(token)
    if (bearer === null) return Result.fail(invalid)
    return bearer.scopes.includes(SCOPE) ? Result.succeed(bearer) : Result.fail(insufficient)
  })
}

/**
 * The MCP server at {mcp_url}, over Streamable HTTP. It adds to Effect's transport: token checks, limits on what clients
 * send, and sessions with an owner and an id that any process can read.
 */
export const mcpEndpoint: Layer.Layer<
  never,
  never,
  HttpRouter.HttpRouter | Clients | OAuthSettings | AccessTokens | Audits | McpLimits | RubricBook | Seals
> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const options = yield* OAuthSettings
    const clients = yield* Clients
    const limits = yield* McpLimits
    const check = makeBearerCheck(yield* AccessTokens, options)
    const path: `/${string}` = `/${basePathOf(options.resource).slice(1)}`
    const origins = [...new Set([options.resource, options.authorizeUrl].map((address) => new URL(address).origin))]
    const protocol = Effect.orDie(
      yield* HttpRouter.toHttpEffect(
        layerHttp({
          ...serverInfo,
          path,
          allowedOrigins: origins,
          allowSessionTermination: true,
          allowSubscriptions: false,
          registrations
        })
      ).pipe(Effect.orDie)
    )
    const inner = makeProtocolSessions(protocol, options.resource)
    const runFork = Effect.runForkWith(yield* Effect.context())
    const sessions = makeSessions(yield* Seals, {
      bounds: SESSION_BOUNDS,
      idleMs: SESSION_IDLE_MS,
      lifeMs: options.grantMs,
      release: (innerId) => {
        runFork(inner.end(innerId))
      }
    })

    yield* Effect.forkScoped(
      Effect.forever(
        Effect.gen(function* () {
          yield* Effect.sleep(IDLE_INTERVAL)
          sessions.dropIdle(yield* Clock.currentTimeMillis)
        })
      )
    )

    /** Effect sets the id of a new session while it sends the response; this replaces it by a sealed id. */
    const sealOpened = (response: Response, use: Use): Effect.Effect<Response> => {
      const opened = response.headers[SESSION_HEADER]
      if (opened === undefined) return Effect.succeed(response)
      return sessions.open(opened, response.headers[REVISION_HEADER] ?? "", use).pipe(
        Effect.map((id) => HttpServerResponse.setHeader(response, SESSION_HEADER, id)),
        Effect.catchTag("StoreUnavailable", unavailable)
      )
    }

    /** The request with the session id of Effect's transport; a session from another process is opened here first. */
    const inSession = Effect.fnUntraced(function* (request: Request, id: string, session: Session, use: Use) {
      const innerId = session.innerId ?? sessions.resumed(id, session, yield* inner.open(session.revision), use)
      // A client that names another supported revision means the negotiated one; an unsupported revision is an error.
      const revision = REVISIONS.has(request.headers[REVISION_HEADER] ?? "")
        ? { [REVISION_HEADER]: session.revision }
        : {}
      return request.modify({ headers: Headers.setAll(request.headers, { [SESSION_HEADER]: innerId, ...revision }) })
    })

    const pass = Effect.fnUntraced(function* (request: Request) {
      if (request.method === "POST") {
        const text = yield* readText(request, "application/json", MOST_BYTES)
        if (!isWithinDepth(text, MOST_CLIENT_DEPTH) || countBatch(text) > MOST_IN_BATCH) return MALFORMED
      }
      const response = yield* Effect.provideService(protocol, HttpServerRequest.HttpServerRequest, request)
      // Effect replaces some responses while they are sent.
      yield* appendPreResponseHandler((_, sent) => Effect.succeed(explained(request, sent)))
      return response
    })

    const converse = Effect.fnUntraced(function* (request: Request, { grant }: Bearer) {
      const now = yield* Clock.currentTimeMillis
      const address = clients.of(request)
      const caller = callerOf(grant, address, limits.networkFactor)
      const refusal = limits.message(caller, now)
      if (refusal !== null) return yield* Effect.as(countRefusal(refusal), rateLimitError(refusal))
      const use = { grant, network: address.network, now }
      const id = request.headers[SESSION_HEADER]
      if (id === undefined) {
        const response = yield* Effect.provideService(pass(request), McpCaller, caller)
        yield* appendPreResponseHandler((_, sent) => sealOpened(sent, use))
        return response
      }
      const session = yield* sessions.find(id, use)
      if (session === null) return NO_SESSION
      if (request.method === "DELETE") {
        sessions.end(id, session, use)
        return ENDED
      }
      return yield* Effect.provideService(pass(yield* inSession(request, id, session, use)), McpCaller, caller)
    })

    const answer = Effect.fnUntraced(
      function* (request: Request) {
        const { origin } = request.headers
        if (origin !== undefined && !origins.includes(origin)) return FORBIDDEN
        const checked = yield* check(request)
        if (Result.isFailure(checked)) return checked.failure
        return yield* converse(request, checked.success)
      },
      Effect.catchTags({
        BadBody: ({ message, status }: BadBody) => Effect.succeed(rpcError(status, -32_600, message)),
        StoreUnavailable: (reason: StoreUnavailable) => unavailable(reason)
      })
    )

    for (const method of ["GET", "POST", "DELETE"] as const) yield* router.add(method, path, answer)
  })
)

const unavailable = (reason: StoreUnavailable): Effect.Effect<Response> =>
  Effect.as(Effect.logWarning("the store is unavailable", reason), UNAVAILABLE)

const REVISIONS: ReadonlySet<string> = new Set(serverInfo.protocols.map(({ protocolVersion }) => protocolVersion))

const MALFORMED = rpcError(
  400,
  -32_600,
  `A message can nest at most ${MOST_CLIENT_DEPTH} levels deep, and a batch can have at most ${MOST_IN_BATCH} messages.`
)
const ENDED = HttpServerResponse.empty({ status: 204 })

/** Number of messages in a body; invalid JSON counts as one, and the transport reports the error. */
const countBatch = (text: string): number => {
  const messages = text.trimStart().startsWith("[") ? parsedJson(text) : undefined
  return Array.isArray(messages) ? messages.length : 1
}
