import { LANGUAGES } from "../../text/languages/Language.ts"
import { readerIn } from "../../text/languages/Reader.ts"

const TEXT = 5_000

const OLD =
  /\b(?:deprecat\w{1,6}|obsolete|legacy|no longer|(?:was|were|been|is|are|be) (?:removed|retired|shut down|switched off)|sunset|discontinued|superseded|replaced (?:by|with)|(?:old|older|previous|earlier|former|outdated) (?:versions?|api|endpoints?|calls?|way|release)|before (?:version|v\d)|formerly|used to be|until (?:version|v\d|20\d\d)|prior to (?:version|v\d)|migrat(?:e|ing) from|answered with 4\d\d)\b/i

const FAILING =
  /\b(?:(?:invalid|incorrect|wrong|bad|erroneous|malformed|unsupported|failing|failed) (?:requests?|calls?|examples?|parameters?|fields?|values?|quer(?:y|ies)|usage|body)|(?:do not|don['’]t|never) (?:do|use|send|call|write)|(?:not|never|instead of|rather than) [`'"“‘]?(?:GET|POST|PUT|PATCH|DELETE) \/|(?:will|would|does) (?:fail|not work)|doesn['’]t work|(?:returns?|answers?|responds?|results?|fails?|rejected)(?: \w{1,20}){0,4} (?:4\d\d|errors?))\b/i

const others = readerIn(...LANGUAGES)

/** A text says that a call is of the past or leaves use: it is deprecated, was removed, or is of an older version. */
export const saysOld = (text: string): boolean => {
  const read = text.slice(0, TEXT)
  return OLD.test(read) || others.says("outOfUse", read)
}

/** Pages of the past, and of what changes: their calls need not be those of today. */
const PAST =
  /[/._-](?:changelogs?|change-?log|changes|release-?notes?|releases?|history|migrat[a-z]{1,8}|upgrad[a-z]{1,6}|legacy|deprecat[a-z]{1,6}|archived?|whats-?new|news|blog)(?=[/._-]|$)/i

/** The URL of a page says that it tells of the past. */
export const isOfPast = (page: string): boolean => PAST.test(URL.parse(page)?.pathname ?? "")

/** A text says that a call is shown as one that fails. */
export const saysFailing = (text: string): boolean => {
  const read = text.slice(0, TEXT)
  return FAILING.test(read) || others.says("failingCall", read)
}
