/** The texts of a new criterion, until its author writes them; `rubric check` refuses them. */
export const PLACEHOLDERS = {
  why: (criterion: string) => `Say what an agent loses if ${criterion} is not met.`,
  how: (plugin: string) => `Say what ${plugin} looks at, and what it decides where it could be decided otherwise.`,
  step: (criterion: string) => `Say what to do to meet ${criterion}.`
} as const

const ANY_NAME = "\\S+"

const patternOf = (text: string): string => text.replaceAll(".", "\\.").replaceAll("\0", ANY_NAME)

const OWN = new RegExp(
  `^(?:${Object.values(PLACEHOLDERS)
    .map((write) => patternOf(write("\0")))
    .join("|")})$`
)

/** Nothing said, or a mark that people leave to come back to. */
const UNWRITTEN = /^[.…\s?-]*$|\b(?:TODO|TBD|FIXME)\b|\blorem ipsum\b/i

/** Whether a text has yet to be written. */
export const isPlaceholder = (text: string): boolean => OWN.test(text.trim()) || UNWRITTEN.test(text.trim())
