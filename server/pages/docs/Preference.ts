/**
 * Whether a client would rather have Markdown than a page: it names `text/markdown` in `Accept`, and likes it no less
 * than `text/html`. Browsers do not name it.
 */
export const prefersMarkdown = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const weights = new Map(accept.slice(0, 1_000).split(",").map(weighed))
  const markdown = weights.get("text/markdown") ?? 0
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0)
}

const weighed = (item: string): readonly [type: string, weight: number] => {
  const [type = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
  return [type, Number.isFinite(quality) ? quality : 0]
}
