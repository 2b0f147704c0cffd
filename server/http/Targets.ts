import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { parseTarget, type TargetRules } from "../../engine/audit/Target.ts"
import { normalise, plainForm, siteOf } from "../../engine/evidence/Address.ts"
import { destinationOf } from "../../engine/evidence/Destination.ts"
import { failureOf, type HopFailure } from "../../engine/evidence/HopFailure.ts"
import { Network } from "../../engine/evidence/Network.ts"
import { ruleFor } from "../../engine/evidence/ResolveRule.ts"
import type { NewRun } from "../../engine/store/Run.ts"
import { BadRequest, Unprocessable } from "../api/Errors.ts"
import { type LookupsBusy, LookupTurns } from "./LookupTurns.ts"
import { RubricInForce } from "../RubricInForce.ts"
import { reach } from "../Settings.ts"

/** A site that someone wants to be audited. */
export interface Target {
  readonly run: NewRun
  /** The plain form of its address, the same for all spellings of it. */
  readonly address: string
  /** Whoever runs this service says where it leads: it is not looked up. */
  readonly led: boolean
  readonly hostname: string
}

/** Which sites this service audits. */
export class Targets extends Context.Service<Targets, {
  /** Reads a `base_url`; tells from its spelling alone what is not audited. */
  readonly read: (baseUrl: unknown) => Effect.Effect<Target, BadRequest>
  /** The same for operators, who may have `http:` and other ports audited in any case. */
  readonly readForOperator: (baseUrl: string) => Effect.Effect<Target, BadRequest>
  /**
   * Looks the name up for a client of that network (`OPERATOR`: for an operator): it has to lead somewhere, and to public
   * addresses only. What is connected to is checked again then.
   */
  readonly lookUp: (target: Target, network: string) => Effect.Effect<void, BadRequest | Unprocessable | LookupsBusy>
}>()("docgauge/server/Targets") {
  static readonly layer: Layer.Layer<Targets, Config.ConfigError, RubricInForce | LookupTurns> = Layer.effect(
    Targets,
    Effect.gen(function*() {
      const { digest } = yield* RubricInForce
      const policy = yield* reach
      const { lookup } = yield* Network
      const turns = yield* LookupTurns
      const { allowHttp, allowPrivate, resolve } = policy
      const rules = { allowHttp, allowPrivate, allowPorts: allowPrivate, resolve }
      const targets = new Map<string, Target>()
      const soundUntil = new Map<string, number>()

      const targetOf = (url: string): Target => {
        const { hostname, port, protocol } = new URL(url)
        const rule = ruleFor(resolve, hostname, Number(port || (protocol === "https:" ? 443 : 80)))
        return { run: { url, site: siteFormOf(url), domain: siteOf(hostname), rubricDigest: digest }, address: plainForm(url), led: rule !== null, hostname }
      }

      const parsed = (baseUrl: string, allowed: TargetRules): Effect.Effect<Target, BadRequest> =>
        Result.match(parseTarget(baseUrl, allowed), {
          onSuccess: (url) => Effect.sync(() => targetOf(url)),
          onFailure: ({ code, message }) => Effect.fail(new BadRequest({ error: `base_url cannot be audited: ${message}.`, code }))
        })

      const ask = (url: URL): Effect.Effect<void, BadRequest | Unprocessable> =>
        Effect.tryPromise({
          // Whoever passed `read` may be http: where operators may audit that.
          try: (interrupted) => destinationOf(url, { ...policy, allowHttp: true }, (name) => lookup(name, interrupted)),
          catch: failureOf
        }).pipe(Effect.mapError((failure) => refusalOf(failure, url)))

      const lookUpNew = Effect.fnUntraced(function*({ hostname, run: { url } }: Target, network: string) {
        const now = yield* Clock.currentTimeMillis
        if ((soundUntil.get(hostname) ?? 0) > now) return
        yield* turns.take(network, ask(new URL(url))).pipe(Effect.catchTag("LookupTimedOut", () => Effect.fail(unansweredOf(hostname))))
        keep(soundUntil, hostname, now + SOUND_MS)
      })

      return {
        read: (baseUrl) => {
          if (typeof baseUrl !== "string" || baseUrl === "") {
            return Effect.fail(new BadRequest({ error: "base_url is missing: send the address of a documentation site.", code: "invalid_base_url" }))
          }
          const known = targets.get(baseUrl)
          return known === undefined
            ? Effect.map(parsed(baseUrl, rules), (target) => keep(targets, baseUrl, target))
            : Effect.succeed(known)
        },
        readForOperator: (baseUrl) => parsed(baseUrl, { ...rules, allowHttp: true, allowPorts: true }),
        lookUp: (target, network) => (target.led ? Effect.void : lookUpNew(target, network))
      }
    })
  )
}

/** The network of operators: their look-ups have turns of their own. */
export const OPERATOR = "operator"

/** How long a name that led to public addresses is not looked up again, in milliseconds. */
const SOUND_MS = 30_000

const REMEMBERED = 5_000

const keep = <A>(map: Map<string, A>, key: string, value: A): A => {
  if (map.size >= REMEMBERED) map.clear()
  map.set(key, value)
  return value
}

const refusalOf = ({ kind, message }: HopFailure, { hostname }: URL): BadRequest | Unprocessable =>
  kind === "not_public"
    ? new BadRequest({ error: `base_url cannot be audited: ${hostname} does not lead to a public address.`, code: "not_public_address" })
    : new Unprocessable({ error: `${hostname} cannot be reached: ${message}.` })

const unansweredOf = (hostname: string): Unprocessable =>
  new Unprocessable({ error: `${hostname} cannot be reached: its name servers did not answer in time.` })

/**
 * `base_url_norm`: no scheme, default port, trailing slash or `www.`; the path kept, but for what most servers make nothing
 * of: empty segments (`//a`), parameters of segments (`/a;x`, RFC 3986 §3.3) and a final `index.html`.
 */
export const siteFormOf = (url: string): string => {
  const { host, pathname } = new URL(normalise(url) ?? url)
  const segments = pathname.split("/").map((segment) => segment.split(";", 1)[0] ?? "").filter((segment) => segment !== "")
  if (INDEX_FILE.test(segments.at(-1) ?? "")) segments.pop()
  return [host.replace(/^www\.(?=[^.]+\.)/, ""), ...segments].join("/")
}

const INDEX_FILE = /^index\.html?$/i
