import type * as Effect from "effect/Effect"
import type { Budget, Spender } from "../../evidence/AuditBudget.ts"
import type { Ask } from "../../evidence/Collector.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import type { FetchLimits } from "../../evidence/FetchLimits.ts"
import type { GatherContext, BaseAddress } from "./GatherContext.ts"

/** What is known when the base page has arrived and is still to be read. */
export interface Arrival {
  readonly base: BaseAddress
  readonly robots: Exchange
  readonly limits: FetchLimits
}

/** Something that several criteria need of a site, gathered once for all of them, on first use. */
export interface Derivation<Value, Needs> extends Spender {
  /**
   * What it requests on every site, whatever the first page says: sent while that page is being read. `gather` makes the
   * same requests again and finds the answers in the collector.
   */
  readonly early?: (arrival: Arrival) => ReadonlyArray<Ask | string>
  /** `uses`: other derivations of the site. */
  readonly gather: (context: GatherContext, uses: Needs) => Effect.Effect<Value>
}

/** Other derivations, by their names on the site. */
export type Using<Values> = { readonly [Name in keyof Values]: Effect.Effect<Values[Name]> }

export type ValueOf<D> = D extends {
  readonly gather: (context: GatherContext, uses: never) => Effect.Effect<infer Value>
}
  ? Value
  : never

/** Declares a derivation; a line in `Derivations.ts` puts it on the site. */
export const derivation = <Value, Needs = object>({
  name,
  ...rest
}: Omit<Derivation<Value, Needs>, "collector"> & {
  /** As reports show it, after `site/`. */
  readonly name: string
  readonly budget: Budget | ((sampleSize: number) => Budget)
}): Derivation<Value, Needs> => ({ collector: `site/${name}`, ...rest })

/** The derivations named, which are all that `Values` has, each by its own effect. */
export const usingEach = <Values>(
  names: ReadonlyArray<keyof Values & string>,
  effectOf: <Name extends keyof Values & string>(name: Name) => Effect.Effect<Values[Name]>
): Using<Values> => Object.fromEntries(names.map((name) => [name, effectOf(name)])) as Using<Values>
