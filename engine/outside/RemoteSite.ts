import * as Effect from "effect/Effect"
import { normalise } from "../evidence/Address.ts"
import { usingEach } from "../site/base/Derivation.ts"
import type { Base } from "../site/base/GatherContext.ts"
import type { DerivationName, DerivedValues } from "../site/Derivations.ts"
import type { Site } from "../site/Site.ts"
import type { SiteCall } from "./OutsideMessage.ts"

/** Calls the main thread, which replies with the value of the site's member with this name. */
export type CallSite = <A>(name: SiteCall, argument?: unknown) => Effect.Effect<A>

/** The site as a plugin in another thread sees it: the same members, each answered by the main thread. */
export const remoteSite = (
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
