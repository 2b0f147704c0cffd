import * as Cache from "effect/Cache"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { parseTarget, type TargetRules } from "../../engine/audit/Target.ts"
import { plainForm, siteFormOf, siteOf } from "../../engine/evidence/Address.ts"
import { destinationOf, ruleFor } from "../../engine/evidence/http/Destination.ts"
import { failureOf, type HopFailure } from "../../engine/evidence/http/HopFailure.ts"
import { Network } from "../../engine/evidence/http/Network.ts"
import type { NewRun } from "../../engine/store/runs/Run.ts"
import { BadRequest, Unprocessable } from "../api/Errors.ts"
import { type LookupsBusy, LookupTurns } from "./LookupTurns.ts"
import { RubricInForce } from "../config/RubricInForce.ts"
import { reach } from "../config/Settings.ts"

/** A site to audit. */
export interface Target {
  readonly run: NewRun
  /** Its canonical URL, the same for all spellings. */
  readonly address: string
  /** DOCGAUGE_RESOLVE sets the name's address, so it is not looked up. */
  readonly led: boolean
  readonly hostname: string
}

/** Checks which sites this service may audit. */
export class Targets extends Context.Service<
  Targets,
  {
    /** Parses a `base_url`, and refuses it if its text alone is reason enough. */
    readonly read: (baseUrl: unknown) => Effect.Effect<Target, BadRequest>
    /** The same for operators, who may always audit `http:` and other ports. */
    readonly readForOperator: (baseUrl: string) => Effect.Effect<Target, BadRequest>
    /**
     * Looks up the name for a client of that network (`OPERATOR_NETWORK`: for an operator). It must resolve to public addresses
     * only, which are checked again when the audit connects.
     */
    readonly lookUp: (target: Target, network: string) => Effect.Effect<void, BadRequest | Unprocessable | LookupsBusy>
  }
>()("docgauge/server/Targets") {
  static readonly layer: Layer.Layer<Targets, Config.ConfigError, RubricInForce | LookupTurns> = Layer.effect(
    Targets,
    Effect.gen(function* () {
      const { digest } = yield* RubricInForce
      const policy = yield* reach
      const { lookup, ownAddresses } = yield* Network
      const turns = yield* LookupTurns
      const { allowHttp, allowPrivate, resolve } = policy
      const rules = { allowHttp, allowPrivate, allowPorts: allowPrivate, resolve }
      const targetOf = (url: string): Target => {
        const { hostname, port, protocol } = new URL(url)
        const rule = ruleFor(resolve, hostname, Number(port || (protocol === "https:" ? 443 : 80)))
        return {
          run: { url, site: siteFormOf(url), domain: siteOf(hostname), rubricDigest: digest },
          address: plainForm(url),
          led: rule !== null,
          hostname
        }
      }

      const parsed = (baseUrl: string, allowed: TargetRules): Effect.Effect<Target, BadRequest> =>
        Result.match(parseTarget(baseUrl, allowed), {
          onSuccess: (url) => Effect.sync(() => targetOf(url)),
          onFailure: ({ code, message }) =>
            Effect.fail(new BadRequest({ error: `base_url cannot be audited: ${message}.`, code }))
        })

      const targets = yield* Cache.makeWith((baseUrl: string) => parsed(baseUrl, rules), {
        capacity: CAPACITY,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
      })

      /** Host names that resolved to public addresses. Contains successful look-ups only, by the network that made them. */
      const publicHosts = yield* Cache.make({
        capacity: CAPACITY,
        timeToLive: PUBLIC_HOST_TTL,
        lookup: (_hostname: string) => Effect.void
      })

      const ask = (url: URL): Effect.Effect<void, BadRequest | Unprocessable> =>
        Effect.tryPromise({
          // `read` has already decided about http:.
          try: (interrupted) =>
            destinationOf(url, { ...policy, allowHttp: true }, (name) => lookup(name, interrupted), ownAddresses),
          catch: failureOf
        }).pipe(Effect.mapError((failure) => refusalOf(failure, url)))

      const lookUpNew = Effect.fnUntraced(function* ({ hostname, run: { url } }: Target, network: string) {
        if (yield* Cache.has(publicHosts, hostname)) return
        yield* turns
          .take(network, ask(new URL(url)))
          .pipe(Effect.catchTag("LookupTimedOut", () => Effect.fail(unansweredOf(hostname))))
        yield* Cache.set(publicHosts, hostname, undefined)
      })

      return {
        read: (baseUrl) => {
          if (typeof baseUrl !== "string" || baseUrl === "") {
            return Effect.fail(
              new BadRequest({
                error: "base_url is missing: send the URL of a documentation site.",
                code: "invalid_base_url"
              })
            )
          }
          return Cache.get(targets, baseUrl)
        },
        readForOperator: (baseUrl) => parsed(baseUrl, { ...rules, allowHttp: true, allowPorts: true }),
        lookUp: (target, network) => (target.led ? Effect.void : lookUpNew(target, network))
      }
    })
  )
}

/** The network of operators, whose look-ups do not compete with those of clients. */
export const OPERATOR_NETWORK = "operator"

/** How long a successful look-up is cached. */
const PUBLIC_HOST_TTL = "30 seconds"

const CAPACITY = 5_000

const refusalOf = ({ kind, message }: HopFailure, { hostname }: URL): BadRequest | Unprocessable =>
  kind === "not_public"
    ? new BadRequest({
        error: `base_url cannot be audited: ${hostname} does not resolve to a public IP address that this service contacts.`,
        code: "not_public_address"
      })
    : new Unprocessable({ error: `${hostname} cannot be reached: ${message}.` })

const unansweredOf = (hostname: string): Unprocessable =>
  new Unprocessable({ error: `${hostname} cannot be reached: its name servers did not answer in time.` })
