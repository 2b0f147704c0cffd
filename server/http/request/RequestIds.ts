import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { randomInt } from "node:crypto"

/** Distinguishes the requests of this process from those of earlier ones. */
const BOOT = randomInt(36 ** 6).toString(36)

const ids = new WeakMap<object, string>()
let count = 0

/** The id of a request in the log and in a 500. Ids are assigned on first use. */
export const requestId = (request: HttpServerRequest): string => {
  const known = ids.get(request.source)
  if (known !== undefined) return known
  count += 1
  const id = `${BOOT}-${count.toString(36)}`
  ids.set(request.source, id)
  return id
}

/** Annotates logs with the id of the request. */
export const withRequestId = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const request = Context.getOrUndefined(fiber.context, HttpServerRequest)
    return request === undefined ? effect : Effect.annotateLogs(effect, "request", requestId(request))
  })

/** The path of a request's URL as the router sees it: it ends at `?`, `#` or `;`. */
export const requestPath = (url: string): string => {
  const end = url.search(/[?;#]/)
  return end < 0 ? url : url.slice(0, end)
}
