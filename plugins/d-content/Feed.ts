import { Parser } from "htmlparser2"

const DATED = new Set(["pubdate", "lastbuilddate", "updated", "published", "dc:date", "date"])
const MAX_DATES = 1_000
const MAX_FIELD = 100

/** Texts of a feed's dates (RSS, Atom), as written, at most 1 000. What is no feed has none, or few. */
export const feedDates = (xml: string): ReadonlyArray<string> => {
  const dates: Array<string> = []
  let text: string | null = null
  const parser = new Parser({
    onopentag: (name) => {
      text = DATED.has(name.toLowerCase()) && dates.length < MAX_DATES ? "" : null
    },
    ontext: (more) => {
      if (text !== null && text.length < MAX_FIELD) text += more
    },
    onclosetag: () => {
      if (text !== null) dates.push(text.trim())
      text = null
    }
  }, { xmlMode: true })
  parser.end(xml)
  return dates
}
