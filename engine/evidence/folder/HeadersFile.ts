import type { Headers } from "../Headers.ts"
import { type PathPattern, pathPattern } from "./PathPattern.ts"

/** A rule of `_headers`: what it sets, and which headers it removes (`! Name`). */
export interface HeaderRule {
  readonly pattern: PathPattern
  /** Names in lower case. */
  readonly set: Headers
  readonly remove: ReadonlyArray<string>
}

/** More than any host takes. */
const MOST_LINES = 20_000

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/**
 * Reads a `_headers` file of Netlify or Cloudflare Pages: a path in the first column, below it indented `Name: value` lines; `#` for comments.
 * Rules for absolute URLs hold for their path.
 *
 * https://docs.netlify.com/routing/headers/ · https://developers.cloudflare.com/pages/configuration/headers/
 */
export const parseHeaders = (text: string): ReadonlyArray<HeaderRule> => {
  const rules: Array<{
    readonly pattern: PathPattern
    readonly set: Array<readonly [string, string]>
    readonly remove: Array<string>
  }> = []
  for (const line of text.split(/\r?\n/, MOST_LINES)) {
    const content = line.trim()
    if (content === "" || content.startsWith("#")) continue
    if (/^\S/.test(line)) {
      rules.push({ pattern: pathPattern(content.replace(/^https?:\/\/[^/]+/, "")), set: [], remove: [] })
      continue
    }
    const removed = /^!\s*(\S+)$/.exec(content)?.[1]
    if (removed !== undefined) rules.at(-1)?.remove.push(removed.toLowerCase())
    const colon = content.indexOf(":")
    const name = content.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (TOKEN.test(name)) rules.at(-1)?.set.push([name, content.slice(colon + 1).trim()])
  }
  return rules
}

/** The headers of a path: those of every rule that holds for it, in order. */
export const headersFor = (rules: ReadonlyArray<HeaderRule>, path: string): Headers =>
  rules
    .filter(({ pattern }) => pattern(path) !== null)
    .reduce<Headers>((headers, { remove, set }) => [...headers.filter(([name]) => !remove.includes(name)), ...set], [])
