import * as Effect from "effect/Effect"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import { RULES_BEGIN, RULES_END, statements } from "../hosts/HostRules.ts"
import type { EarlierRules } from "../write/HostFiles.ts"
import { UNREADABLE_FILE } from "./FolderPages.ts"

/** Configuration that hosts read from the published folder; the rest goes into the repository. */
const IN_FOLDER = ["_headers", ".htaccess"]

/** The longest file of rules that is completed, in bytes; hosts take 100 KB. */
const LONGEST = 1_000_000

/** A file of rules in the folder, or where one would be. */
interface RulesFile {
  /** `null`: there is none. */
  readonly body: Buffer | null
  /** Why it cannot be completed, as a clause with the file as its subject; `null`: it can. */
  readonly refusal: string | null
  /** Where what an earlier run wrote begins and ends, in bytes; `null`: it wrote nothing. */
  readonly own: OwnPart | null
}

interface OwnPart {
  readonly from: number
  /** `null`: its last line is missing, so what follows may be the owner's. */
  readonly to: number | null
}

/** The files of rules in a folder by name. */
export const readFolderRules = Effect.fnUntraced(function* (
  folder: SiteFolder
): Effect.fn.Return<ReadonlyMap<string, RulesFile>> {
  const files = new Map<string, RulesFile>()
  for (const name of IN_FOLDER)
    files.set(
      name,
      folder.has(name) ? rulesFile(yield* folder.read(name, LONGEST)) : { body: null, refusal: null, own: null }
    )
  return files
})

const rulesFile = (read: { readonly body: Uint8Array; readonly bytes: number } | null): RulesFile => {
  if (read === null) return { body: null, refusal: UNREADABLE_FILE, own: null }
  const body = Buffer.from(read.body)
  // Latin 1 has a character for each byte, so offsets are those of the bytes.
  const text = body.toString("latin1")
  const refusal =
    read.bytes > body.length
      ? "is longer than what we read, so we did not add to it. Make it shorter and run this again."
      : text.includes("\0")
        ? "is not in UTF-8, so we did not add to it. Convert it to UTF-8 and run this again."
        : null
  return { body, refusal, own: ownPart(text) }
}

const ownPart = (text: string): OwnPart | null => {
  const from = lineAt(text, RULES_BEGIN, 0)
  if (from === -1) return null
  const end = lineAt(text, RULES_END, from)
  const next = lineAt(text, RULES_BEGIN, from + 1)
  if (end === -1 || (next !== -1 && next < end)) return { from, to: null }
  const line = text.indexOf("\n", end)
  return { from, to: line === -1 ? text.length : line + 1 }
}

/** Where the first line that is `line` alone begins; -1: there is none. */
const lineAt = (text: string, line: string, from: number): number => {
  const ends = new Set(["", "\n", "\r"])
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    if ((at === 0 || text[at - 1] === "\n") && ends.has(text.charAt(at + line.length))) return at
  }
  return -1
}

/** How the hosts' rules say that the answer varies by `Accept`. */
const VARY_LINES = new Set(["Vary: Accept", "Header merge Vary Accept"])

/** What the rules of earlier runs say. */
export const earlierRules = (files: ReadonlyMap<string, RulesFile>): EarlierRules => {
  const text = [...files.values()]
    .map(({ body, own }) =>
      body === null || own === null ? "" : body.subarray(own.from, own.to ?? undefined).toString("latin1")
    )
    .join("\n")
  return {
    rels: new Set([...text.matchAll(/rel=\\?"([a-z-]+)\\?"/g)].map(([, rel = ""]) => rel)),
    negotiates: text.split("\n").some((line) => VARY_LINES.has(line.trim()))
  }
}

const UNENDED = `has rules of docgauge without the line that ends them (${RULES_END}), so we did not change them. Delete these rules and run this again.`

/**
 * The file with `rules` in place of what an earlier run wrote, or after what is there; its own bytes if it has them. Text: why it cannot
 * be completed, as a clause with the file as its subject, and what to do.
 */
export const withRules = ({ body, own, refusal }: RulesFile, rules: string): Buffer | string => {
  if (refusal !== null) return refusal
  const added = Buffer.from(rules)
  const text = body?.toString("latin1") ?? ""
  if (body === null || text.trim() === "") return added
  if (own === null) return Buffer.concat([body, Buffer.from(text.endsWith("\n") ? "\n" : "\n\n"), added])
  if (own.to === null) {
    const there = new Set(statements(text))
    return statements(rules).every((line) => there.has(line)) ? body : UNENDED
  }
  const next = Buffer.concat([body.subarray(0, own.from), added, body.subarray(own.to)])
  return next.equals(body) ? body : next
}

/**
 * The file without what an earlier run wrote, nor the blank line that it put before; `null`: it wrote nothing. Text: why it cannot be
 * taken out, as a clause with the file as its subject, and what to do.
 */
export const withoutRules = ({ body, own, refusal }: RulesFile): Buffer | string | null => {
  if (body === null || own === null) return null
  if (refusal !== null) return refusal
  if (own.to === null) return UNENDED
  const before = body.subarray(0, own.from)
  const isApart = before.toString("latin1").endsWith("\n\n")
  return Buffer.concat([isApart ? before.subarray(0, -1) : before, body.subarray(own.to)])
}
