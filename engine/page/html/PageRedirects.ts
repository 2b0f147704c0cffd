import type { Cheerio } from "cheerio/slim"
import { normalise } from "../../evidence/Address.ts"
import { type Answer, CHALLENGE_HEADERS, header } from "../../evidence/Exchange.ts"
import type { DomWalk } from "../dom/DomWalk.ts"
import { attribute, contentOf, type Element } from "../dom/HtmlTree.ts"
import { $ } from "../dom/Selection.ts"
import type { PageRedirect } from "../Page.ts"

/** Slower refreshes reload a page that is there to be read. */
const REFRESH_SECONDS = 5

/** A page with more text than this has its own to say, whatever its scripts do. */
const REDIRECT_PAGE_CHARACTERS = 400

const SCRIPT_CHARACTERS = 3_000

/** Scripts of a page, and statements of one, that are looked at: one that redirects does so at once. */
const MAX_SCRIPTS = 200
const MAX_STATEMENTS = 20

/** Where a page sends its reader on at once: by meta refresh, or by a script that does little else. */
export const readRedirect = (walk: DomWalk, base: string, url: string): PageRedirect | null => {
  const meta = (walk.byName.get("meta") ?? []).map(refreshTarget).find((target) => target !== null)
  const refreshed = meta === undefined ? null : redirectTo("meta", meta, base, url)
  if (refreshed !== null) return refreshed
  if (walk.visibleCharacters > REDIRECT_PAGE_CHARACTERS) return null
  const script = (walk.byName.get("script") ?? [])
    .slice(0, MAX_SCRIPTS)
    .map(scriptTarget)
    .find((target) => target !== null)
  return script === undefined ? null : redirectTo("script", script, base, url)
}

/** A URL that differs from the page's own by its fragment alone is no redirect. */
const redirectTo = (kind: PageRedirect["kind"], target: string, base: string, url: string): PageRedirect | null => {
  const resolved = normalise(target, base)
  return resolved === null || resolved === normalise(url) ? null : { kind, url: resolved }
}

const refreshTarget = (meta: Element): string | null => {
  if (attribute(meta, "http-equiv")?.trim().toLowerCase() !== "refresh") return null
  const match = /^\s*(\d{1,6})(?:\.\d{0,9})?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']{1,2000})/i.exec(
    attribute(meta, "content") ?? ""
  )
  const target = match?.[2]?.trim()
  return target === undefined || target === "" || Number(match?.[1]) > REFRESH_SECONDS ? null : target
}

const ASSIGNMENT =
  /(?:^|[^\w.$])(?:(?:window|document|self|top|parent)\s*\.\s*)?location(?:\s*\.\s*href)?\s*=\s*(["'`])([^"'`\n]{1,2000})\1/g
const CALL =
  /(?:^|[^\w.$])(?:(?:window|document|self|top|parent)\s*\.\s*)?location\s*\.\s*(?:replace|assign)\s*\(\s*(["'`])([^"'`\n]{1,2000})\1/g

/** The target of a top-level statement that sets the location; `null` if it is inside a condition or a function. */
const scriptTarget = (script: Element): string | null => {
  if (attribute(script, "src") !== null) return null
  const code = contentOf(script, SCRIPT_CHARACTERS + 1)
  if (code.length > SCRIPT_CHARACTERS) return null
  for (const pattern of [CALL, ASSIGNMENT]) {
    for (const match of code.matchAll(pattern).take(MAX_STATEMENTS)) {
      const target = match[2]
      if (
        target !== undefined &&
        !target.startsWith("#") &&
        !target.includes("${") &&
        isUnconditional(code.slice(0, match.index))
      )
        return target
    }
  }
  return null
}

/** At the top level, with no condition right before it. */
const isUnconditional = (before: string): boolean => {
  const code = withoutComments(before).replace(/"[^"\n]*"|'[^'\n]*'/g, "''")
  let depth = 0
  for (const character of code) {
    if (character === "{" || character === "(") depth++
    else if (character === "}" || character === ")") depth--
  }
  const statement = code.slice(Math.max(code.lastIndexOf(";"), code.lastIndexOf("\n"), code.lastIndexOf("}")) + 1)
  return depth === 0 && !/\b(?:if|else|while|for|case)\b|&&|\|\||\?|=>/.test(statement)
}

/** A comment that is not closed stays: what follows it may be code that a match was found in. */
const withoutComments = (code: string): string => {
  const parts: Array<string> = []
  const lastClose = code.lastIndexOf("*/")
  let from = 0
  for (let at = code.indexOf("/"); at >= 0; at = code.indexOf("/", at)) {
    const end = commentEnd(code, at, lastClose)
    if (end < 0) at++
    else {
      parts.push(code.slice(from, at))
      from = at = end
    }
  }
  return [...parts, code.slice(from)].join("")
}

/** Where the comment that begins at `at` ends; -1 where none does. `lastClose`: where the last one in `code` is closed. */
const commentEnd = (code: string, at: number, lastClose: number): number => {
  if (code[at + 1] === "/") {
    const lineEnd = code.indexOf("\n", at)
    return lineEnd < 0 ? code.length : lineEnd
  }
  return code[at + 1] === "*" && lastClose >= at + 2 ? code.indexOf("*/", at + 2) + "*/".length : -1
}

/** What a site serves instead of a page's content: a bot challenge, or a login form. */

/** A page with more content than this is no wall, whatever it looks like. */
const WALL_CHARACTERS = 1_200

const CHALLENGE_TITLES: ReadonlyArray<readonly [title: RegExp, vendor: string]> = [
  [
    /^just a moment\b|^attention required! \| cloudflare|^checking your browser\b|^please wait\.\.\. \| cloudflare/i,
    "cloudflare"
  ],
  [/^vercel security checkpoint/i, "vercel"],
  [/^making sure you(?:'|’)re not a bot/i, "anubis"],
  [/^ddos-guard\b/i, "ddos-guard"],
  [
    /^(?:human verification|are you (?:a )?(?:human|robot)|verify(?:ing)? (?:that )?you are human|security check(?:point)?|bot verification|robot check)\b/i,
    "unknown"
  ],
  [/^access (?:to this page has been )?denied\b|^pardon our interruption/i, "unknown"]
]

const CHALLENGE_SOURCES: ReadonlyArray<readonly [source: string, vendor: string]> = [
  ["/cdn-cgi/challenge-platform/h/", "cloudflare"],
  ["challenges.cloudflare.com/turnstile", "cloudflare"],
  ["_Incapsula_Resource", "imperva"],
  ["captcha-delivery.com", "datadome"],
  ["px-captcha", "perimeterx"],
  ["awswaf.com", "aws"],
  ["/.within.website/x/", "anubis"]
]

/** The vendor of the bot challenge that is served instead of the content; `null` for none. */
export const readChallenge = (answer: Answer, title: string, walk: DomWalk, mainCharacters: number): string | null => {
  for (const [name, value, vendor] of CHALLENGE_HEADERS) if (value.test(header(answer, name) ?? "")) return vendor
  if (mainCharacters > WALL_CHARACTERS) return null
  const titled = CHALLENGE_TITLES.find(([pattern]) => pattern.test(title))
  if (titled !== undefined) return titled[1]
  // Its script also runs unseen on pages that are served as usual: only a page without content is a challenge.
  if (mainCharacters > 120) return null
  const sources = ["script", "iframe"]
    .flatMap((name) => walk.byName.get(name) ?? [])
    .map((element) => attribute(element, "src") ?? "")
  return CHALLENGE_SOURCES.find(([part]) => sources.some((source) => source.includes(part)))?.[1] ?? null
}

const LOGIN_TITLE =
  /^(?:please )?(?:sign|log)[ -]?(?:in|on)\b(?! (?:with|methods?|flow|api|endpoint|callback))|^(?:login|authentication|authorization) required\b|^password (?:required|protected)\b|^protected (?:page|site)\b/i

const LOGIN_ADDRESS =
  /\/(?:login|log-in|signin|sign-in|sso|oauth2?\/authorize|account\/login|users\/sign_in|u\/login)(?:\/|\.\w+)?$/i

/** The page asks for a password or to sign in, in place of content. */
export const isLoginWall = (
  answer: Answer,
  names: ReadonlyArray<string>,
  walk: DomWalk,
  mainCharacters: number
): boolean => {
  if (mainCharacters > WALL_CHARACTERS) return false
  const inputs = $([...(walk.byName.get("input") ?? [])])
  const password = inputs.is("[type=password]")
  const entitled = names.some((name) => LOGIN_TITLE.test(name))
  const sentTo = answer.redirects.length > 0 && LOGIN_ADDRESS.test(new URL(answer.url).pathname)
  return password ? entitled || sentTo || mainCharacters < 400 : (entitled || sentTo) && asksForIdentity(inputs)
}

const asksForIdentity = (inputs: Cheerio<Element>): boolean =>
  inputs.is("[type=email]") ||
  inputs
    .filter("[type=text], :not([type])")
    .toArray()
    .some((input) => /user|email|login|account/i.test(attribute(input, "name") ?? attribute(input, "id") ?? ""))
