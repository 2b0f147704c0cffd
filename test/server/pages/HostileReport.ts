import type { AuditReport } from "../../../engine/audit/Report.ts"
import { someDrift, someFalseCall } from "../../drift/SomeDrift.ts"
import { reportOf } from "../ScriptedAuditor.ts"

/** Texts that a site may put into its titles, addresses and error pages to do harm where they are shown. */
export const HARM = {
  script: "</title></summary><script>alert(1)</script><img src=x onerror=alert(1)>",
  attribute: '" onmouseover="alert(1)" x=\'',
  controls: "a\u0000b\u0007c\u001b[31md\u2028e\ufeff",
  direction: "safe\u202egnp.exe\u2066\u2069",
  word: "w".repeat(10_000),
  template: "${alert(1)} {{constructor}} <!-- --> ]]> &amp;",
  half: "\ud800x"
} as const

const all = Object.values(HARM)

/** A report every quote of which is made to do harm. */
export const hostileReport = (url: string): AuditReport => {
  const report = reportOf(url, 42)
  // The engine cuts what it keeps of an exchange.
  const exchanges = all
    .map((harm) => harm.slice(0, 900))
    .flatMap((harm) =>
      [`https://docs.example.com/'"${harm}`, `javascript:${harm}`].map((address) => ({
        method: "POST" as const,
        url: address,
        accept: harm,
        agent: "browser" as const,
        request_body: harm,
        status: 200,
        failure: harm,
        redirects: [{ url: harm, status: 301, location: harm }],
        headers: [`x-harm: ${harm}`],
        body: `${harm}\n${harm}`,
        body_bytes: 99,
        body_cut: true
      }))
    )
  const criteria = report.criteria.map((criterion, place) => ({
    ...criterion,
    score: 1,
    status: "partial" as const,
    summary: all.join(" "),
    evidence_url: `javascript:alert(${HARM.attribute})`,
    evidence: all.slice(0, 5).flatMap((harm) => [
      { url: `javascript:alert('${harm}')`, status: 200, note: harm, exchange: place },
      { url: `${url}/${encodeURI(harm.toWellFormed())}"><script>`, status: null, note: `other ${harm}` }
    ]),
    findings: exchanges.map(({ status, url }, exchange) => ({
      url,
      status,
      note: `found ${exchange}`,
      good: false,
      exchange
    })),
    remedy: {
      effort: "low" as const,
      steps: all,
      addresses: [`data:text/html,${HARM.script}`, `${url}/"onclick=alert(1)`]
    }
  }))
  return {
    ...report,
    criteria,
    drift: someDrift(
      all.map((harm) =>
        someFalseCall({
          message: harm,
          call: harm,
          found: harm,
          expected: harm,
          likely: harm,
          page: { url: `javascript:${harm}`, line: 3 },
          description: { url: `${url}/"><script>${harm}`, pointer: harm }
        })
      )
    ),
    exchanges,
    experimental: criteria.map((criterion) => ({ ...criterion, id: `${criterion.id}9` })),
    signals: all.map((harm) => ({ id: harm, seen: true, url: `vbscript:${harm}` })),
    reliability: {
      reliable: false,
      coverage: 0.5,
      flags: ["bot_challenge", "truncated"],
      skipped: [{ collector: HARM.script, reason: "bytes", count: 3 }]
    }
  }
}
