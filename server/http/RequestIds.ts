import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { randomInt } from "node:crypto"

/** Tells the requests of this process from those of the ones before it. */
const BOOT = randomInt(36 ** 6).toString(36)

const ids = new WeakMap<object, string>()
let count = 0

/** What a request is called in the log, and in a 500. Only those that are spoken of get a name. */
export const requestId = (request: HttpServerRequest): string => {
  const known = ids.get(request.source)
  if (known !== undefined) return known
  count += 1
  const id = `${BOOT}-${count.toString(36)}`
  ids.set(request.source, id)
  return id
}

/** What is logged within names the request that it was logged for. */
export const withRequestId = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const request = Context.getOrUndefined(fiber.context, HttpServerRequest)
    return request === undefined ? effect : Effect.annotateLogs(effect, "request", requestId(request))
  })
