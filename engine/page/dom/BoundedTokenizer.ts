import { Tokenizer } from "parse5"

/** As many attributes of an element are kept. */
export const MAX_ATTRIBUTES = 128

const START = /^/

/**
 * V8 keeps a string that was appended to as a tree of its parts, 32 bytes each: 64 MB for 2 MB of text. Matching it against a
 * regular expression makes it one piece.
 */
export const flatten = (text: string): void => {
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
