import type { ApiDescription } from "../../apispec/ApiSpec.ts"
import { type ComparedFigure, compareFigures } from "../../drift/figures/Figures.ts"
import { plainText } from "../../text/PlainText.ts"
import { type Compared, findingText, placeOf, type ProvenFinding } from "./Compared.ts"
import type { DriftText } from "../texts/DriftTexts.ts"

/** Compares figures of pages; Markdown versions and full texts would only repeat them. */
export const figureDrift = (texts: ReadonlyArray<DriftText>, spec: ApiDescription | null): Compared => {
  const figures = compareFigures(
    texts.filter(({ page }) => page !== null),
    spec === null ? null : { title: spec.title, version: spec.version, servers: spec.servers }
  )
  const wrong = figures.filter(({ agrees }) => !agrees)
  return {
    counts: {
      compared: figures.length,
      agreeing: figures.length - wrong.length,
      false: wrong.length,
      notCompared: 0
    },
    findings: wrong.map((figure) => proven(figure, spec))
  }
}

const POINTERS = { base_url: "/servers", version: "/info/version", rate_limit: "" } as const

const proven = (figure: ComparedFigure<DriftText>, spec: ApiDescription | null): ProvenFinding => {
  const { other, reason, text } = figure
  const [found, expected] = [plainText(figure.found, 200), plainText(figure.expected, 200)]
  return {
    proof: text.exchange,
    finding: {
      kind: "figure",
      reason,
      message: findingText(`${placeOf(text.url, null)} ${sentence(figure, found, expected)}.`),
      page: { url: text.url, line: null },
      ...(other === null ? {} : { other: { url: other.url, line: null } }),
      description: other === null && spec !== null ? { url: spec.url, pointer: POINTERS[reason] } : null,
      found,
      expected
    }
  }
}

const sentence = ({ other, reason }: ComparedFigure<DriftText>, found: string, expected: string): string => {
  if (other !== null) return `states ${found}, and ${placeOf(other.url, null)} states ${expected}`
  return reason === "base_url"
    ? `names ${found} as the base URL, which is no server of the description; it has ${expected}`
    : `has release ${found}; the description is still of version ${expected}`
}
