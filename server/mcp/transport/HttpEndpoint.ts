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
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { Clients } from "../../http/request/Clients.ts"
import { countRefusal } from "../../observe/MeteredLimits.ts"
import { AccessTokens, type Bearer } from "../../oauth/AccessTokens.ts"
import { basePathOf } from "../../oauth/Discovery.ts"
import { OAuthSettings } from "../../oauth/OAuthSettings.ts"
import { Seals } from "../../oauth/Seals.ts"
import { type BadBody, readText } from "../../oauth/SmallBody.ts"
import type { Audits } from "../audits/Audits.ts"
import { makeBearerCheck } from "./BearerCheck.ts"
import { makeProtocolSessions } from "./ProtocolSessions.ts"
import { isWithinDepth, MOST_CLIENT_DEPTH, parsedJson } from "../../../engine/text/JsonText.ts"
import { callerOf, McpCaller } from "../audits/McpCaller.ts"
import { McpLimits } from "./McpLimits.ts"
import { registrations } from "../features/Registrations.ts"
import { FORBIDDEN, NO_SESSION, rateLimitError, rpcError, UNAVAILABLE } from "./RpcErrors.ts"
import type { RubricBook } from "../features/RubricMarkdown.ts"
import { serverInfo } from "./ServerInfo.ts"
import { makeSessions, type Session, SESSION_BOUNDS, SESSION_IDLE_MS, type Use } from "./Sessions.ts"

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
      return yield* Effect.provideService(protocol, HttpServerRequest.HttpServerRequest, request)
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
