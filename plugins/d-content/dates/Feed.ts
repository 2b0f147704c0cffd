import { Parser } from "htmlparser2"

const DATED = new Set(["pubdate", "lastbuilddate", "updated", "published", "dc:date", "date"])
const MAX_DATES = 1_000
const MAX_FIELD = 100
/** `feed` in `entry` in `updated`, and what extensions add: the parser's time grows with the square of the depth. */
const MAX_DEPTH = 100
const CHUNK = 1_024

/** The dates of a feed (RSS, Atom) as written, at most 1,000. */
export const feedDates = (xml: string): ReadonlyArray<string> => {
  const dates: Array<string> = []
  let text: string | null = null
  const open = { depth: 0 }
  const parser = new Parser(
    {
      onopentag: (name) => {
        open.depth++
        text = DATED.has(name.toLowerCase()) && dates.length < MAX_DATES ? "" : null
      },
      ontext: (more) => {
        if (text !== null && text.length < MAX_FIELD) text += more
      },
      onclosetag: () => {
        open.depth--
        if (text !== null) dates.push(text.trim())
        text = null
      }
    },
    { xmlMode: true }
  )
  const goesOn = (): boolean => open.depth <= MAX_DEPTH
  for (let at = 0; at < xml.length && goesOn(); at += CHUNK) parser.write(xml.slice(at, at + CHUNK))
  if (goesOn()) parser.end()
  return dates
}
