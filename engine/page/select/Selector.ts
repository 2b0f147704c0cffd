import * as Result from "effect/Result"

export interface AttributeTest {
  /** In lower case. */
  readonly name: string
  /** As in CSS: `=` the whole value, `~=` one of its words, `^=` its start, `$=` its end, `*=` a part of it; `null`: any value. */
  readonly operator: "=" | "~=" | "^=" | "$=" | "*=" | null
  readonly value: string
  /** Letters count in either case. */
  readonly anyCase: boolean
}

/** What is wanted of one element, and where it is: anywhere below the element of the step before, or right below it. */
export interface SelectorStep {
  readonly place: "below" | "child"
  /** In lower case; `null`: any element. */
  readonly tag: string | null
  readonly attributes: ReadonlyArray<AttributeTest>
}

/** The alternatives of a selector, each from the outermost element to the one that is selected. */
export type Selector = ReadonlyArray<ReadonlyArray<SelectorStep>>

/** Characters of a selector. The author of a rubric, who may be a stranger, writes the selectors that pages are searched by. */
const LONGEST = 200
/** Steps of an alternative: a bit of a number stands for each. */
const MOST_STEPS = 8
const MOST_ALTERNATIVES = 8

/** One part of a selector, from the place where it is read. */
const PART =
  /(?<comma> ?, ?)|(?<child> ?> ?)|(?<below> )|(?<any>\*)|(?<tag>[a-z][\w-]*)|#(?<id>[\w-]+)|\.(?<word>[\w-]+)|\[ ?(?<name>[a-z_][\w:.-]*) ?(?:(?<operator>[~^$*]?=) ?(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s\]"'=]+)) ?(?<fold>i ?)?)?\]/iy

/**
 * Reads a selector of this part of CSS: tags, `*`, `#id`, `.class`, `[name]`, `[name=value]` with `=`, `~=`, `^=`, `$=`, `*=` and a
 * final `i`, elements below each other (` ` and `>`), alternatives (`,`). It is matched in time linear in the page. The error is one clause.
 */
export const readSelector = (text: string): Result.Result<Selector, string> => {
  const wrong = (why: string) => Result.fail(`the selector "${text.slice(0, LONGEST)}" ${why}`)
  if (text.length > LONGEST) return wrong(`is longer than ${LONGEST} characters`)
  const alternatives: Array<Array<SelectorStep>> = [[]]
  let place: SelectorStep["place"] = "below"
  let isOpen = false
  const source = text.trim().replace(/\s+/g, " ")
  PART.lastIndex = 0
  for (let at = 0; at < source.length; at = PART.lastIndex) {
    PART.lastIndex = at
    const groups = PART.exec(source)?.groups
    if (groups === undefined) return wrong(`cannot be read from "${source.slice(at, at + 20)}" on: ${KNOWN}`)
    const steps = alternatives.at(-1) ?? []
    if (groups["comma"] ?? groups["child"] ?? groups["below"]) {
      if (!isOpen) return wrong("lacks an element")
      isOpen = false
      place = groups["child"] === undefined ? "below" : "child"
      if (groups["comma"] !== undefined) alternatives.push([])
      continue
    }
    const tag = groups["tag"]?.toLowerCase() ?? null
    const last = isOpen ? steps.pop() : undefined
    if (last !== undefined && (tag !== null || groups["any"] !== undefined))
      return wrong("names a tag behind another part")
    const before = last ?? { place, tag, attributes: [] }
    steps.push({ ...before, attributes: [...before.attributes, ...testOf(groups)] })
    isOpen = true
  }
  if (!isOpen) return wrong("lacks an element")
  return alternatives.length > MOST_ALTERNATIVES || alternatives.some(({ length }) => length > MOST_STEPS)
    ? wrong(`has more than ${MOST_ALTERNATIVES} alternatives, or more than ${MOST_STEPS} elements below each other`)
    : Result.succeed(alternatives)
}

const KNOWN = 'it may have tags, "*", "#id", ".class", "[name]", "[name=value]", " ", ">" and ","'

const OPERATORS = { "=": "=", "~=": "~=", "^=": "^=", "$=": "$=", "*=": "*=" } as const

const isOperator = (text: string): text is keyof typeof OPERATORS => Object.hasOwn(OPERATORS, text)

const testOf = (groups: Readonly<Record<string, string | undefined>>): ReadonlyArray<AttributeTest> => {
  const { bare, double, fold, id, name, operator = "", single, word } = groups
  if (id !== undefined) return [{ name: "id", operator: "=", value: id, anyCase: false }]
  if (word !== undefined) return [{ name: "class", operator: "~=", value: word, anyCase: false }]
  if (name === undefined) return []
  const anyCase = fold !== undefined
  const value = double ?? single ?? bare ?? ""
  return [
    {
      name: name.toLowerCase(),
      operator: isOperator(operator) ? OPERATORS[operator] : null,
      value: anyCase ? value.toLowerCase() : value,
      anyCase
    }
  ]
}

/** An element as it is written. */
export interface SelectedElement {
  /** In lower case. */
  readonly tag: string
  /** By name in lower case, at most 50, each value at most 2 000 characters. */
  readonly attributes: Readonly<Record<string, string>>
  /** Its text as a reader sees it, that of a script as written; at most 2 000 characters, white space collapsed. */
  readonly text: string
}

/** The elements of a page that a selector selects. */
export interface ElementSelection {
  /** In document order, at most 500; none where the page is no HTML. */
  readonly elements: ReadonlyArray<SelectedElement>
  /** The page may have more of them: it has more than 500, or could not be read to its end. */
  readonly cut: boolean
}
