import * as Effect from "effect/Effect"
import process from "node:process"
import { type Environment, type Proxies, proxiesOf, type Proxy } from "../../engine/evidence/http/Proxies.ts"
import { type CliFailure, wrongUsage } from "./CliFailure.ts"

/** The proxies of the environment; wrong usage if a variable cannot be read. */
export const environmentProxies = (environment: Environment = process.env): Effect.Effect<Proxies, CliFailure> =>
  Effect.mapError(Effect.fromResult(proxiesOf(environment)), (fault) => wrongUsage(`${fault}. Nothing was audited.`))

/** What a user should know who audits through a proxy. */
export const uncheckedNotice = ({ variable }: Proxy): string =>
  `requests go through the proxy in ${variable}. It looks up names itself, so docgauge can check only names, not that they lead to public addresses.`
