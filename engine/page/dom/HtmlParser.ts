import { type ChildNode, type Document, Element, type ParentNode, Text } from "domhandler"
import { Parser, Tokenizer, type TreeAdapter } from "parse5"
import { adapter, type Htmlparser2TreeAdapterMap } from "parse5-htmlparser2-tree-adapter"
import { type CodePlace, codePlace } from "./CodeText.ts"
import {
  attachShadow,
  attribute,
  type Attributes,
  contentOf,
  cutDeeper,
  isText,
  NO_ATTRIBUTES,
  parentOf,
  putAlternative
} from "./HtmlTree.ts"

/** As many attributes of an element are kept. */
const MAX_ATTRIBUTES = 128

const START = /^/

/**
 * V8 keeps a string that was appended to as a tree of its parts, 32 bytes each: 64 MB for 2 MB of text. Matching it against a
 * regular expression makes it one piece.
 */
const flatten = (text: string): void => {
  START.test(text)
}

/** Reads the tags and texts of HTML as browsers do, in linear time: it looks for duplicates among all attributes of a tag, so it keeps `MAX_ATTRIBUTES`. */
export class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const token = this.currentToken
    if (token !== null && "attrs" in token && token.attrs.length >= MAX_ATTRIBUTES) return
    super._leaveAttrName()
  }

  /** Makes what is being read flat: the parser appends character by character. Called after each chunk. */
  flatten(): void {
    const { currentAttr, currentCharacterToken, currentToken } = this
    if (currentCharacterToken !== null) flatten(currentCharacterToken.chars)
    if (currentToken !== null && "data" in currentToken) flatten(currentToken.data)
    flatten(currentAttr.value)
  }
}

/** Deeper than any page that people write; walks over the tree may recurse this far. */
export const MAX_DEPTH = 512
/** Three times as many as the largest page of the corpus has. Pages of that many links or headings fit the page thread's heap (`ParserPool.ts`). */
const MAX_ELEMENTS = 60_000

/** How much text is tokenised before its start may be let go. */
const CHUNK = 65_536

/** Ends parsing early; the tree built so far is kept. */
class LimitReached extends Error {}

/** Flattens the text at the end of what an element holds: it is complete. */
const flattenLast = ({ children }: ParentNode): void => {
  const last = children.at(-1)
  if (last !== undefined && isText(last)) flatten(last.data)
}

/**
 * The index of a child among its siblings. The parser works at the end of the document, so the search begins there: a
 * table that fosters a million elements would take for ever otherwise.
 */
const placeOf = (parent: ParentNode, child: ChildNode): number => {
  const siblings = parent.children
  for (let at = siblings.length - 1; at >= 0; at--) if (siblings[at] === child) return at
  return siblings.length
}

const insertBefore = (parent: ParentNode, inserted: ChildNode, before: ChildNode): void => {
  const after = parent.children.splice(placeOf(parent, before))
  const previous = before.prev
  if (previous !== null) previous.next = inserted
  inserted.prev = previous
  inserted.next = before
  before.prev = inserted
  parent.children.push(inserted, ...after)
  inserted.parent = parent
}

const detach = (node: ChildNode): void => {
  const { next, parent, prev } = node
  if (parent === null) return
  if (prev !== null) prev.next = next
  if (next !== null) next.prev = prev
  node.prev = node.next = node.parent = null
  parent.children.splice(placeOf(parent, node), 1)
}

/** By name. They have no prototype: `constructor` is an attribute like any other. Of two of one name the first counts. */
const attributesOf = (
  list: ReadonlyArray<{ readonly name: string; readonly value: string }>,
  known = NO_ATTRIBUTES
): Attributes => {
  if (list.length === 0) return known
  const attributes: Attributes = Object.assign(Object.create(null), known)
  for (const { name, value } of list) {
    flatten(value)
    attributes[name] ??= value
  }
  return attributes
}

/** Elements whose content a browser that runs scripts, or shows frames, reads as text. */
const ALTERNATIVES: ReadonlySet<string> = new Set(["noscript", "noframes"])

/** A document's tree while it is built. */
interface TreeBuilder {
  readonly adapter: TreeAdapter<Htmlparser2TreeAdapterMap>
  /** How many elements are open. */
  depth: number
  readonly alternatives: ReadonlyArray<Element>
  /** What each `template` holds, in document order. */
  readonly templates: ReadonlyMap<Element, Document>
  readonly codePlaces: Map<Element, CodePlace>
  /** Code that Docusaurus' first versions show in a `div` each, with one for each line. */
  readonly codeDivisions: Array<Element>
  /** Where a tag that is being read ends, while a document itself is read: what `noscript` holds is read by itself. */
  placeOfTag: (() => CodePlace | null) | null
}

/** cheerio's nodes, which selections work on. What a `template` holds is no part of the tree. */
const boundedBuilder = (): TreeBuilder => {
  let elements = 0
  const alternatives: Array<Element> = []
  const templates = new Map<Element, Document>()
  const codePlaces = new Map<Element, CodePlace>()
  const codeDivisions: Array<Element> = []
  const builder: TreeBuilder = {
    depth: 0,
    alternatives,
    templates,
    codePlaces,
    codeDivisions,
    placeOfTag: null,
    adapter: {
      ...adapter,
      createElement: (name, namespace, attributes) => {
        if (++elements > MAX_ELEMENTS) throw new LimitReached()
        const element = new Element(name, attributesOf(attributes), [])
        element.namespace = namespace
        if (ALTERNATIVES.has(name)) alternatives.push(element)
        const place = name === "pre" ? builder.placeOfTag?.() : null
        if (place) codePlaces.set(element, place)
        if (name === "div" && attribute(element, "class")?.includes("prism-code") === true) codeDivisions.push(element)
        return element
      },
      onItemPush: () => {
        if (++builder.depth > MAX_DEPTH) throw new LimitReached()
      },
      onItemPop: (item) => {
        builder.depth--
        flattenLast(item)
      },
      appendChild: (parent, child) => {
        flattenLast(parent)
        adapter.appendChild(parent, child)
      },
      getAttrList: ({ attribs }) => Object.entries(attribs).map(([name, value]) => ({ name, value })),
      insertBefore,
      insertTextBefore: (parent, text, before) => {
        const previous = before.prev
        if (previous !== null && isText(previous)) previous.data += text
        else insertBefore(parent, new Text(text), before)
      },
      detachNode: detach,
      adoptAttributes: (recipient, attributes) => {
        if (Object.keys(recipient.attribs).length < MAX_ATTRIBUTES)
          recipient.attribs = attributesOf(attributes, recipient.attribs)
      },
      setTemplateContent: (template, content) => {
        templates.set(template, content)
      },
      getTemplateContent: (template) => templates.get(template) ?? adapter.getTemplateContent(template)
    }
  }
  return builder
}

/** A document, and whether it goes on beyond the limits on depth and elements: its tree ends there. */
export interface ParsedHtml {
  readonly document: Document
  readonly isCut: boolean
  /** Where the texts of `pre` elements are; not of those in `noscript`. */
  readonly codePlaces: ReadonlyMap<Element, CodePlace>
}

/** The tree of `parseWhole`, for those who need not know whether it is whole. */
export const parseHtml = (html: string): Document => parseWhole(html).document

/**
 * Parses as browsers do (WHATWG HTML, scripting on), within limits on depth, elements and attributes: where a document
 * goes beyond them, the tree ends there. Then what `noscript` and `noframes` hold becomes elements, and declarative shadow
 * roots the content of their hosts. Linear in the document; never throws.
 */
export const parseWhole = (html: string): ParsedHtml => {
  const builder = boundedBuilder()
  const { codePlaces } = builder
  const { document, isCut } = parseInto(builder, html, true)
  for (const element of builder.codeDivisions) element.name = "pre"
  if (isCut || (builder.alternatives.length === 0 && builder.templates.size === 0))
    return { document, isCut, codePlaces }
  const isAlternativeCut = readAlternatives(builder)
  for (const [template, content] of builder.templates) attachShadow(template, content)
  return { document, isCut: cutDeeper(document, MAX_DEPTH) || isAlternativeCut, codePlaces }
}

/** More of them are left as text: each is parsed as a document of its own. */
const MOST_ALTERNATIVES = 200

/** Makes elements of what `noscript` and `noframes` hold, below the body; says whether the tree ends in one of them. */
const readAlternatives = (builder: TreeBuilder): boolean => {
  const found = builder.alternatives.slice(0, MOST_ALTERNATIVES)
  return found.filter(isBelowBody).some((element) => {
    const { document, isCut } = parseInto(builder, contentOf(element), false)
    putAlternative(element, document)
    return isCut
  })
}

const isBelowBody = (element: Element): boolean => parentOf(element)?.name !== "head"

const parseInto = (builder: TreeBuilder, html: string, isWhole: boolean): Omit<ParsedHtml, "codePlaces"> => {
  builder.depth = 0
  const parser = new Parser<Htmlparser2TreeAdapterMap>({ treeAdapter: builder.adapter })
  const tokenizer = new BoundedTokenizer(parser.options, parser)
  parser.tokenizer = tokenizer
  const { preprocessor } = tokenizer
  builder.placeOfTag = isWhole ? () => codePlace(html, preprocessor.offset + 1, preprocessor.line) : null
  try {
    for (let at = 0; at === 0 || at < html.length; at += CHUNK) {
      tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length)
      tokenizer.flatten()
      flattenLast(parser.openElements.current ?? parser.document)
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
    return { document: parser.document, isCut: true }
  }
  return { document: parser.document, isCut: false }
}
