import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Unavailable } from "../../api/Errors.ts"

/** Responses that take long and may be under way at once, in this process and for one client. */
interface PlaceBounds {
  readonly most: number
  readonly mostOfClient: number
  readonly refusal: Unavailable
}

/** Places for such responses: one is taken until the scope of its request ends, or there is none left for that client. */
export const makePlaces = ({ most, mostOfClient, refusal }: PlaceBounds) => {
  const ofClients = new Map<string, number>()
  let all = 0
  const count = (client: string, by: 1 | -1): void => {
    all += by
    const now = (ofClients.get(client) ?? 0) + by
    if (now === 0) ofClients.delete(client)
    else ofClients.set(client, now)
  }
  return (client: string): Effect.Effect<void, Unavailable, Scope.Scope> =>
    Effect.suspend(() =>
      all >= most || (ofClients.get(client) ?? 0) >= mostOfClient
        ? Effect.fail(refusal)
        : Effect.acquireRelease(
            Effect.sync(() => count(client, 1)),
            () => Effect.sync(() => count(client, -1))
          )
    )
}
