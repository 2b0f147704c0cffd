import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { parseRate, parseWindow, type Rate } from "../../engine/limit/RateSpec.ts"
import { setting } from "../../engine/config/Setting.ts"
import { type Addresses, addresses } from "../Settings.ts"

/** The one scope there is: to have sites audited, and to read reports. */
export const SCOPE = "service:audit"

/** Where things are, and how long they last. All addresses are absolute. */
export interface OAuthOptions {
  /** The authorization server's name for itself: {docs_url}. */
  readonly issuer: string
  /** What tokens are for: {mcp_url}. */
  readonly resource: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly registerUrl: string
  readonly revokeUrl: string
  readonly keysUrl: string
  /** Milliseconds. */
  readonly accessMs: number
  /** Milliseconds after the last exchange of its refresh token at which a grant ends. */
  readonly grantMs: number
  /** Milliseconds between the authorization and the exchange of its code. */
  readonly codeMs: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Where the service is found tells where everything else is. */
export const oauthOptionsOf = ({ base, docs, mcp }: Addresses, accessMs: number): OAuthOptions => ({
  issuer: docs,
  resource: mcp,
  authorizeUrl: `${base}/oauth/authorize`,
  tokenUrl: `${base}/oauth/token`,
  registerUrl: `${base}/oauth/register`,
  revokeUrl: `${base}/oauth/revoke`,
  keysUrl: `${base}/oauth/keys`,
  accessMs,
  grantMs: 30 * DAY,
  codeMs: MINUTE
})

/** Milliseconds for which an access token is good. */
export const tokenLife: Config.Config<number> = setting("DOCGAUGE_MCP_TOKEN_TTL", "15m", (text) =>
  Result.flatMap(parseWindow(text), (ms) => (ms === null || ms > DAY ? Result.fail("give a span from 1s to 24h, such as 15m") : Result.succeed(ms))))

/**
 * Requests to the authorization server for each client address; `null`: any number. The default is enough for a hosted
 * assistant that refreshes many users' tokens from one address.
 */
export const oauthRate: Config.Config<Rate | null> = setting("DOCGAUGE_OAUTH_RATE", "600/60s", parseRate)

/** How the authorization server is set up. */
export class OAuthSettings extends Context.Service<OAuthSettings, OAuthOptions>()("docgauge/server/oauth/OAuthSettings") {
  /** As the environment says. */
  static readonly layer: Layer.Layer<OAuthSettings, Config.ConfigError> = Layer.effect(
    OAuthSettings,
    Effect.gen(function*() {
      return oauthOptionsOf(yield* addresses, yield* tokenLife)
    })
  )
}
