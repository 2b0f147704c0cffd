import * as Effect from "effect/Effect"
import { normalise } from "../evidence/Address.ts"
import type { Base } from "../site/Gathering.ts"
import type { Site } from "../site/Site.ts"
import type { SITE_CALLS } from "./OutsideMessage.ts"

/** Asks the main thread; what comes back is what the site's member of that name gives there. */
export type CallSite = <A>(name: SiteCall, argument?: unknown) => Effect.Effect<A>

type SiteCall = (typeof SITE_CALLS)[number]

/** The members that are effects of what the site was found to be. */
type Derived = { readonly [Name in SiteCall as Site[Name] extends Effect.Effect<unknown> ? Name : never]: Site[Name] }

/** The site as a plugin in another thread sees it: the same members, each answered by the main thread. */
export const remoteSite = (base: Base, date: string, call: CallSite): Effect.Effect<Site> =>
  Effect.gen(function*() {
    const once = <Name extends keyof Derived>(name: Name) => Effect.cached(call<Effect.Success<Site[Name]>>(name))
    return {
      base,
      date,
      canary: yield* once("canary"),
      robots: yield* once("robots"),
      llmsTxt: yield* once("llmsTxt"),
      aggregates: yield* once("aggregates"),
      sitemaps: yield* once("sitemaps"),
      sample: yield* once("sample"),
      opening: yield* once("opening"),
      subjects: yield* once("subjects"),
      twins: yield* once("twins"),
      negotiation: yield* once("negotiation"),
      spec: yield* once("spec"),
      get: (ask) => call("get", ask),
      getAll: (asks) => call("getAll", asks),
      read: (answer) => call("read", answer),
      resolve: (href, from) => normalise(href, from)
    }
  })
