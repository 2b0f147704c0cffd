/** Longer headers are truncated. */
const MAX_CHARACTERS = 1_000

/** The items of an `Accept` or `Accept-Encoding` header in lower case, in their order, with their weights (RFC 9110 §12.4.2). */
export const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .slice(0, MAX_CHARACTERS)
      .split(",")
      .map((item): readonly [string, number] => {
        const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
        const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
        return [name, Number.isFinite(weight) ? weight : 0]
      })
  )

/** Whether a client prefers a page to JSON. */
export const prefersHtml = ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }): boolean =>
  preferred(headers["accept"], "application/json", "text/html", "application/json") === "text/html"

/** Whether a client wants server-sent events: one that also takes JSON does not. */
export const prefersEvents = (accept: string | undefined): boolean =>
  preferred(accept, "application/json", "text/event-stream", "application/json") === "text/event-stream"

/** Whether a client prefers Markdown to a page. */
export const prefersMarkdown = (accept: string | undefined): boolean =>
  preferred(accept, "text/markdown", "text/html", "text/html") === "text/markdown"

/**
 * The type with the higher weight by the most specific range (RFC 9110 §12.5.1), or if equal the one named more specifically. If
 * both are equal, the client gets `forPrograms`, which browsers never name; if it names neither, `fallback`.
 */
const preferred = (accept: string | undefined, forPrograms: string, forPeople: string, fallback: string): string => {
  const weights = weightsOf(accept ?? "")
  const [one, other] = [standingOf(weights, forPrograms), standingOf(weights, forPeople)]
  if (one.weight !== other.weight) return one.weight > other.weight ? forPrograms : forPeople
  if (one.weight === 0 || Math.max(one.precision, other.precision) < EXACT) return fallback
  return one.precision >= other.precision ? forPrograms : forPeople
}

/** How precise a range is: a type exactly, any of its family less so, and any type least. */
const EXACT = 2

const standingOf = (
  weights: ReadonlyMap<string, number>,
  type: string
): { readonly weight: number; readonly precision: number } => {
  const ranges = ["*/*", `${type.split("/", 1)[0]}/*`, type]
  const precision = ranges.findLastIndex((range) => weights.has(range))
  return { weight: weights.get(ranges[precision] ?? "") ?? 0, precision }
}
