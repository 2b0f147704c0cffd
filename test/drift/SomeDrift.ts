import type { DriftFinding, DriftReport } from "../../engine/drift/Drift.ts"

export const PAGE = "https://docs.fernpost.dev/guides/parcels"
export const SPEC = "https://docs.fernpost.dev/openapi.json"

/** A call of a path that the description does not have, with these parts. */
export const someFalseCall = (parts: Partial<DriftFinding> = {}): DriftFinding => ({
  kind: "call",
  reason: "unknown_path",
  message:
    "/guides/parcels, line 12, calls GET /parcel/p_1, which the description does not have; the nearest is GET /parcels/{id}.",
  page: { url: PAGE, line: 12 },
  description: { url: SPEC, pointer: "/paths/~1parcels~1{id}/get" },
  found: "GET /parcel/p_1",
  expected: "",
  call: "GET /parcel/p_1",
  likely: "GET /parcels/{id}",
  ...parts
})

/** An example that its schema refuses, with these parts. */
export const someFalseExample = (parts: Partial<DriftFinding> = {}): DriftFinding => ({
  kind: "example",
  reason: "schema",
  message:
    'The example of POST /parcels at #/paths/~1parcels/post/requestBody says "heavy" for weight, and its schema wants a number.',
  page: null,
  description: { url: SPEC, pointer: "/paths/~1parcels/post/requestBody/content/application~1json/example/weight" },
  found: '"heavy"',
  expected: "a number",
  ...parts
})

/** Two pages that state different limits. */
export const someFalseFigure: DriftFinding = {
  kind: "figure",
  reason: "rate_limit",
  message: "/limits states 60 requests a minute, and /start states 100 requests a minute.",
  page: { url: "https://docs.fernpost.dev/limits", line: null },
  other: { url: "https://docs.fernpost.dev/start", line: null },
  description: null,
  found: "60 requests a minute",
  expected: "100 requests a minute"
}

/** A table row that the description contradicts. */
export const someFalseRow = someFalseCall({
  kind: "table",
  reason: "required",
  message: "/guides/parcels, line 40, has weight as optional in POST /parcels; the description requires it.",
  page: { url: PAGE, line: 40 },
  found: "optional",
  expected: "required",
  call: "weight",
  likely: "POST /parcels"
})

/** Drift with these findings. */
export const someDrift = (
  findings: ReadonlyArray<DriftFinding> = [someFalseExample(), someFalseCall(), someFalseRow, someFalseFigure],
  parts: Partial<DriftReport> = {}
): DriftReport => ({
  compared: 312,
  agreeing: 312 - findings.length,
  false: findings.length,
  not_compared: 41,
  findings,
  ...parts
})

/** Calls of as many lines, each with a sentence of its own. */
export const falseCalls = (count: number): ReadonlyArray<DriftFinding> =>
  Array.from({ length: count }, (_, index) =>
    someFalseCall({
      message: `/guides/parcels, line ${index + 1}, calls GET /parcel/p_${index}, which the description does not have.`,
      page: { url: PAGE, line: index + 1 }
    })
  )
