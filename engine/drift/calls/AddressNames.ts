/** `export API="https://…"`, `const BASE: string = "https://…"`, `$root = 'https://…'`, `@host = https://…`. */
const ASSIGNED =
  /^[ \t]{0,8}(?:[$%>] )?(?:(?:export|set|const|let|var|final|val|static|private|public|String|string)[ \t]{1,4}){0,4}[$@]?([A-Za-z_]\w{0,60})[ \t]{0,4}(?::[ \t]{0,4}\w{1,20}[ \t]{0,4})?:?=[ \t]{0,4}["'`]?(https?:\/\/[^\s"'`;,${}<>]{1,500})["'`]?[ \t]{0,4};?[ \t]{0,4}$/gm

/** A block is searched this far, in characters. */
const SEARCHED = 10_000

/** Names of one page, at most. */
const MOST_NAMES = 100

/**
 * Names that blocks of a page give a whole address, for `callsIn`: those who copy a later block have copied this one. A name with two
 * addresses is none.
 */
export const addressNames = (blocks: ReadonlyArray<{ readonly text: string }>): ReadonlyMap<string, string> => {
  const found = new Map<string, string | null>()
  for (const { text } of blocks) {
    for (const [, name = "", address = ""] of text.slice(0, SEARCHED).matchAll(ASSIGNED)) {
      const known = found.get(name)
      if (known === undefined && found.size >= MOST_NAMES) continue
      found.set(name, known === undefined || known === address ? address : null)
    }
  }
  return new Map([...found].flatMap(([name, address]) => (address === null ? [] : [[name, address] as const])))
}
