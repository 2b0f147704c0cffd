import { domainToUnicode } from "node:url"
import { percentDecoded } from "./UrlPath.ts"
import { plainText } from "./PlainText.ts"

/** The name of a site, decoded for people, and what is wrong with its letters. */
interface ShownName {
  readonly text: string
  /** Letters of several scripts, or of one that looks like Latin: shown as it is in the DNS, and flagged. */
  readonly isLookalike: boolean
}

/** Longer names are shown truncated. */
const LONGEST = 160

/** The name of a site or of a URL without its scheme, with its percent-encoded and IDN parts decoded where that misleads no one. */
export const shownName = (site: string, longest = LONGEST): ShownName => {
  const slash = site.indexOf("/")
  const [host, path] = slash < 0 ? [site, ""] : [site.slice(0, slash), site.slice(slash)]
  const labels = host.split(".").map(labelOf)
  return {
    text: plainText(labels.map(({ text }) => text).join(".") + decodedPath(path), longest),
    isLookalike: labels.some(({ isLookalike }) => isLookalike)
  }
}

/** A label that is refused stays as it is in the DNS (RFC 5891); browsers do the same in their address bar. */
const labelOf = (label: string): ShownName => {
  if (!/^xn--/i.test(label)) return { text: label, isLookalike: false }
  const text = domainToUnicode(label)
  const isLookalike = text !== "" && (isMixed(text) || LIKE_LATIN.test(text))
  return { text: text === "" || isLookalike ? label : text, isLookalike }
}

/** Scripts that one word may have, after Unicode UTS 39 ("highly restrictive"), each with the characters common to all. */
const SCRIPTS: ReadonlyArray<RegExp> = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]+$/u
]

/** Every letter of one script. */
const ONE_SCRIPT: ReadonlyArray<RegExp> = [
  "Arabic",
  "Armenian",
  "Bengali",
  "Cyrillic",
  "Devanagari",
  "Ethiopic",
  "Georgian",
  "Greek",
  "Gujarati",
  "Gurmukhi",
  "Hebrew",
  "Kannada",
  "Khmer",
  "Lao",
  "Malayalam",
  "Myanmar",
  "Oriya",
  "Sinhala",
  "Tamil",
  "Telugu",
  "Thaana",
  "Thai",
  "Tibetan"
].map((script) => new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}]+$`, "u"))

const isMixed = (text: string): boolean => ![...SCRIPTS, ...ONE_SCRIPT].some((script) => script.test(text))

/** Words of only such Cyrillic and Greek letters as look like Latin ones. */
const LIKE_LATIN = /^[асԁеһіјӏорԛѕԝхуъьүѵοναικρτυχ\d-]+$/u

/** Encoded separators, spaces and invisible characters stay encoded: decoded, the path would read as another one. */
const MISLEADING = /[/?#%<>"'`{}|^\\\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const decodedPath = (path: string): string =>
  path
    .split("/")
    .map((segment) => {
      const text = percentDecoded(segment)
      return text === null || MISLEADING.test(text) ? segment : text
    })
    .join("/")
