import { type ClientRules, setEntry } from "./ClientRules.ts"
import { type CodeValue, UNKNOWN } from "./CodeValue.ts"
import { type Token, tokensOf } from "./Tokens.ts"

export type AssignmentTarget =
  | { readonly _tag: "Name"; readonly name: string }
  | { readonly _tag: "Member"; readonly receiver: CodeValue; readonly name: string }

export const CLOSING = new Set([")", "]", "}"])

/** What a line may begin with that goes on with the one before. */
const GOES_ON = new Set([".", "?.", "->", "?->", "+", "&&", "||", "??", "?", "|"])

const END: Token = { kind: "end", text: "", parts: [], line: 0, first: true, spaced: true }

/** A place in a program that moves on and never back, and what its names hold there. */
export abstract class TokenCursor {
  readonly tokens: ReadonlyArray<Token>
  readonly rules: ClientRules
  /** What names hold at this place of the program. */
  readonly names = new Map<string, CodeValue>()
  at = 0
  /** What a value was read from last, if something may be assigned to it. */
  target: AssignmentTarget | null = null

  constructor(code: string, rules: ClientRules) {
    this.tokens = tokensOf(code, rules.syntax)
    this.rules = rules
  }

  get next(): Token {
    return this.tokens[this.at] ?? END
  }

  ahead(distance: number): Token {
    return this.tokens[this.at + distance] ?? END
  }

  is(mark: string, distance = 0): boolean {
    const token = this.ahead(distance)
    return token.kind === "mark" && token.text === mark
  }

  accept(mark: string): boolean {
    if (!this.is(mark)) return false
    this.at++
    return true
  }

  /** Past the bracket that closes the one before. */
  skipClosed(): void {
    let depth = 1
    while (this.next.kind !== "end" && depth > 0) {
      if (this.next.kind === "mark") {
        if (/^[([{]$/.test(this.next.text)) depth++
        else if (CLOSING.has(this.next.text)) depth--
      }
      this.at++
    }
  }

  /** To the end of a value that is nested too deep. */
  skipDeep(): CodeValue {
    let depth = 0
    while (this.next.kind !== "end") {
      const { kind, text } = this.next
      if (kind === "mark" && CLOSING.has(text) && depth-- === 0) return UNKNOWN
      if (kind === "mark" && /^[([{]$/.test(text)) depth++
      if (kind === "mark" && text === "," && depth === 0) return UNKNOWN
      this.at++
    }
    return UNKNOWN
  }

  /** In a line of its own: something that does not go on with the line before. */
  endsStatement(token: Token): boolean {
    return token.first && this.at > 0 && !(token.kind === "mark" && GOES_ON.has(token.text))
  }

  isSpread(): boolean {
    return this.is("...") || this.is("**") || (this.is("*") && this.ahead(1).kind === "word")
  }

  assign(target: AssignmentTarget | null, value: CodeValue): void {
    if (target === null) return
    if (target._tag === "Name") this.names.set(target.name, value)
    else if (target.receiver._tag === "Dict") setEntry(target.receiver, target.name, value)
    else this.rules.assign(target.receiver, target.name, value)
  }

  /** Names that a function is given are not those outside of it. */
  forget(from: number, to: number): void {
    for (let at = from; at < to && at < from + 50; at++) {
      const token = this.tokens[at]
      if (token?.kind === "word") this.names.delete(token.text)
    }
  }

  /** The names of a loop are unknown in it. */
  forgetLoop(): void {
    for (let distance = 1; distance < 10; distance++) {
      const token = this.ahead(distance)
      if (token.kind === "end" || token.text === "in" || token.text === "of" || token.text === "=") return
      if (token.kind === "word") this.names.delete(token.text)
    }
  }
}
