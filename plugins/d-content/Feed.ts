import { Parser } from "htmlparser2"

const DATED = new Set(["pubdate", "lastbuilddate", "updated", "published", "dc:date", "date"])
const MAX_DATES = 1_000
const MAX_FIELD = 100
/** `feed` in `entry` in `updated`, and what extensions add: the parser's time grows with the square of the depth. */
const MAX_DEPTH = 100
const CHUNK = 1_024

/** Texts of a feed's dates (RSS, Atom), as written, at most 1 000. What is no feed has none, or few. */
export const feedDates = (xml: string): ReadonlyArray<string> => {
  const dates: Array<string> = []
  let text: string | null = null
  let depth = 0
  const parser = new Parser({
    onopentag: (name) => {
      depth++
      text = DATED.has(name.toLowerCase()) && dates.length < MAX_DATES ? "" : null
    },
    ontext: (more) => {
      if (text !== null && text.length < MAX_FIELD) text += more
    },
    onclosetag: () => {
      depth--
      if (text !== null) dates.push(text.trim())
      text = null
    }
  }, { xmlMode: true })
  for (let at = 0; at < xml.length && depth <= MAX_DEPTH; at += CHUNK) parser.write(xml.slice(at, at + CHUNK))
  if (depth <= MAX_DEPTH) parser.end()
  return dates
}
