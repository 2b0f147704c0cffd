/** Language codes that documentation is published under; rarer ones are too often something else (`ts`, `os`, `ml`). */
const LANGUAGES = new Set(
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja jp ko kr lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk ur vi zh cn tw".split(
    " "
  )
)

const LOCALE = /^([a-z]{2})(?:[-_]([a-z]{2}|[a-z]{4}))?$/i

/** Country codes that URLs use for a language. */
const BY_COUNTRY: Readonly<Record<string, string>> = { jp: "ja", kr: "ko", cn: "zh", tw: "zh" }

/** The language that a path segment such as `de`, `pt-BR` or `zh_Hans` names; `null` where it names none. */
export const languageOf = (segment: string): string | null => {
  const code = LOCALE.exec(segment)?.[1]?.toLowerCase()
  return code !== undefined && LANGUAGES.has(code) ? (BY_COUNTRY[code] ?? code) : null
}

/** The language in one of the first two segments of a path. */
export const languageIn = (path: string): string | null =>
  path
    .split("/")
    .filter((segment) => segment !== "")
    .slice(0, 2)
    .map(languageOf)
    .find((language) => language !== null) ?? null
