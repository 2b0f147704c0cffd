import type { BadTarget } from "../../engine/audit/Target.ts"
import { Refused } from "./Audits.ts"

/** There is no such run. */
export const notFound = (runId: string): Refused =>
  new Refused({
    code: "not_found",
    message: `There is no run ${JSON.stringify(runId)}.`,
    advice: "Call audit with the documentation's address; it gives a run_id.",
    retryAfter: null,
    runId: null
  })

/** The address is none that is audited. */
export const refusedTarget = (baseUrl: string, { code, message }: BadTarget): Refused =>
  new Refused({
    code,
    message: `${JSON.stringify(baseUrl.slice(0, 200))} cannot be audited: ${message}.`,
    advice: ADVICE[code],
    retryAfter: null,
    runId: null
  })

const ADVICE: Readonly<Record<BadTarget["code"], string>> = {
  invalid_base_url: "Call audit with the address of the documentation's first page, such as https://docs.example.com.",
  http_not_supported: "Call audit with its https address. On your own machine, docgauge mcp --allow-http audits http addresses, too.",
  not_public_address: "Only public sites are audited here. On your own machine, docgauge mcp --allow-private audits others, too."
}
