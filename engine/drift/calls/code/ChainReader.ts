import type { CallClient } from "../../ShownCall.ts"
import { type CallArguments, type CallPlace, commonMethod, entryOf, identity } from "./ClientRules.ts"
import { type CodeRequest, type CodeValue, dict, UNKNOWN, unknown } from "./CodeValue.ts"
import { type AssignmentTarget, LiteralReader, plainText } from "./LiteralReader.ts"

/** Requests of one block, at most. */
const MOST_REQUESTS = 50

const ASSIGNS = new Set(["=", ":="])

/** Reads names with what is read from them, called on them and given to them, and asks the rules of the language what it means. */
export abstract class ChainReader extends LiteralReader {
  readonly requests: Array<CodeRequest> = []

  abstract assignFrom(target: AssignmentTarget | null, others: ReadonlyArray<string>): void

  /** A name, and what is read from it and called on it. */
  chain(isNew: boolean): CodeValue {
    this.accept("\\")
    const { text } = this.next
    this.at++
    const value = this.names.get(text)
    this.target = { _tag: "Name", name: text }
    const path = value?._tag === "Unknown" && value.path !== null ? value.path : text
    return this.suffixes(value ?? unknown(path), value === undefined || value._tag === "Unknown" ? path : null, isNew)
  }

  /**
   * Members, calls and indices of a value.
   *
   * @param path what the value is called, where it is unknown.
   */
  suffixes(start: CodeValue, startPath: string | null, isNew: boolean): CodeValue {
    let value = start
    let path = startPath
    let mayInitialise = isNew
    for (;;) {
      if (this.isMember()) {
        this.at++
        const name = this.next.text
        this.at++
        mayInitialise &&= path !== null
        if (this.isCalled()) {
          ;[value, path] = [this.method(value, path, name), null]
          continue
        }
        this.target = { _tag: "Member", receiver: value, name }
        ;[value, path] = this.memberOf(value, path, name)
      } else if (path !== null && this.isCalled()) {
        value = this.function(path)
        path = null
        this.target = null
      } else if (this.is("(") && !this.next.first && path === null && value._tag === "Unknown") {
        this.at++
        this.givenUntil(")")
      } else if (this.is("[") && !this.next.first && !this.next.spaced) {
        ;[value, path] = this.indexed(value, path)
      } else if (this.is("{") && this.mayBeInitialised(mayInitialise, path)) {
        this.at++
        value = this.initialised(value, path)
        ;[path, mayInitialise] = [null, false]
      } else if (this.bindsBlock(value)) {
        this.bindBlock(value)
      } else if (path !== null && this.isBareCall()) {
        value = this.bareFunction(path)
        path = null
      } else break
    }
    const named = path === null ? undefined : this.rules.named(path)
    return named ?? (value._tag === "Unknown" && path !== null ? unknown(path) : value)
  }

  isMember(): boolean {
    const { kind, text } = this.next
    if (kind !== "mark" || this.ahead(1).kind !== "word") return false
    if (text === ".") return !this.rules.syntax.dotJoins
    if (text === "\\") return this.rules.syntax.dotJoins
    return text === "?." || text === "->" || text === "?->" || text === "::"
  }

  /** A call's bracket, after the types that it may be given: `get<Order>(`. */
  isCalled(): boolean {
    if (this.is("(")) return !this.next.spaced || !this.next.first
    if (!this.is("<") || this.next.spaced) return false
    for (let distance = 1, depth = 1; distance < 16; distance++) {
      const token = this.ahead(distance)
      if (this.is("<", distance)) depth++
      else if (this.is(">", distance)) depth--
      else if (token.kind !== "word" && !/^[.,?[\]|:]$/.test(token.text)) return false
      if (depth > 0) continue
      if (!this.is("(", distance + 1) && !this.is("{", distance + 1)) return false
      this.at += distance + 1
      return this.is("(")
    }
    return false
  }

  memberOf(value: CodeValue, path: string | null, name: string): readonly [CodeValue, string | null] {
    const known = this.rules.member(value, name) ?? (value._tag === "Dict" ? entryOf(value, name) : undefined)
    if (known !== undefined) return [known, null]
    const longer = path === null ? name : `${path}.${name}`
    return [unknown(longer), longer.length > 200 ? null : longer]
  }

  method(receiver: CodeValue, path: string | null, name: string): CodeValue {
    const place = this.place()
    const given = this.given()
    if (given === null) return UNKNOWN
    this.target = null
    if (path !== null && receiver._tag === "Unknown") return this.called(`${path}.${name}`, given, place)
    return (
      this.rules.callMethod(receiver, name, given, place) ??
      commonMethod(receiver, name, given) ??
      (receiver._tag === "Unknown" ? (this.rules.callFunction(`.${name}`, given, place) ?? UNKNOWN) : UNKNOWN)
    )
  }

  function(path: string): CodeValue {
    const place = this.place()
    const given = this.given()
    return given === null ? UNKNOWN : this.called(path, given, place)
  }

  called(path: string, given: CallArguments, place: CallPlace): CodeValue {
    return this.rules.callFunction(path, given, place) ?? identity(path, given) ?? UNKNOWN
  }

  place(): CallPlace {
    const { line } = this.tokens[Math.max(0, this.at - 1)] ?? this.next
    return { begin: (client) => this.begin(client, line) }
  }

  begin(client: CallClient, line: number): CodeRequest {
    const request: CodeRequest = {
      client,
      line,
      method: null,
      address: UNKNOWN,
      query: dict(),
      headers: dict(),
      body: null,
      bodyForm: "json"
    }
    if (this.requests.length < MOST_REQUESTS) this.requests.push(request)
    return request
  }

  /** What is given in brackets; `null` if nothing closes them. */
  given(): CallArguments | null {
    if (!this.accept("(")) return null
    return this.givenUntil(")")
  }

  givenUntil(close: string): CallArguments | null {
    const positional: Array<CodeValue> = []
    const named = dict()
    let open = false
    const outer = this.target
    while (this.next.kind !== "end") {
      if (this.accept(close)) {
        this.target = outer
        return { positional, named, open }
      }
      if (this.accept(",") || this.accept(";")) continue
      const from = this.at
      if (this.isSpread()) {
        this.at++
        open = true
        if (!this.is(",") && !this.is(close)) this.expression(true)
        continue
      }
      const name = this.nameOfArgument()
      if (name !== null) named.entries.push([name, this.expression(true)])
      else {
        positional.push(this.expression(true))
        if (this.next.kind === "mark" && ASSIGNS.has(this.next.text)) this.assignFrom(this.target, [])
      }
      if (this.at === from) this.at++
    }
    return null
  }

  /** `name=`, `name:` or `"name" =>` before a value. */
  nameOfArgument(): string | null {
    const token = this.next
    const after = this.ahead(1)
    if (after.kind !== "mark") return null
    const isNamed =
      (token.kind === "word" && (after.text === "=" || after.text === ":")) ||
      ((token.kind === "word" || token.kind === "text") && after.text === "=>" && this.rules.syntax.arrows) ||
      (token.kind === "text" && after.text === ":" && this.rules.syntax.bareCalls)
    if (!isNamed) return null
    this.at += 2
    return token.kind === "word" ? token.text : plainText(token.parts)
  }

  /** `get "/orders", headers: …` */
  isBareCall(): boolean {
    const { first, kind, spaced } = this.next
    return this.rules.syntax.bareCalls && kind === "text" && spaced && !first
  }

  bareFunction(path: string): CodeValue {
    const place = this.place()
    const positional: Array<CodeValue> = []
    const named = dict()
    do {
      const name = this.nameOfArgument()
      const value = this.expression(false)
      if (name === null) positional.push(value)
      else named.entries.push([name, value])
    } while (this.accept(","))
    return this.called(path, { positional, named, open: false }, place)
  }

  indexed(value: CodeValue, path: string | null): readonly [CodeValue, string | null] {
    this.at++
    const index = this.is("]") ? UNKNOWN : this.expression(true)
    while (this.next.kind !== "end" && !this.accept("]")) this.at++
    // `map[string]string{…}` is a type.
    if (path === "map") {
      this.skipGoType()
      return [UNKNOWN, "map"]
    }
    const name = index._tag === "Text" ? index.text : null
    // Only Ruby's requests have members in brackets: their headers.
    const receiver = value._tag === "Request" ? value.request.headers : value
    this.target = name === null ? null : { _tag: "Member", receiver, name }
    if (name === null) {
      if (value._tag === "Dict" && this.is("=")) value.open = true
      return [UNKNOWN, null]
    }
    return [value._tag === "Dict" ? (entryOf(value, name) ?? UNKNOWN) : unknown(name), null]
  }

  /** The type of the values of a map, up to its brace. */
  skipGoType(): void {
    for (let count = 0; count < 8 && !this.is("{") && !this.is("(") && this.next.kind !== "end"; count++) {
      if (this.next.first || this.is(",") || this.is(")")) return
      this.at++
      if (this.accept("{")) this.accept("}")
      if (this.is("{") && this.is("}", -1)) return
    }
  }

  mayBeInitialised(isNew: boolean, path: string | null): boolean {
    if (this.rules.syntax.braces === "object") return false
    return isNew || (path !== null && this.rules.syntax.firstOfMany && !this.next.spaced)
  }

  /** `new Request { Method = …, Address = … }`: the members are assigned to what the constructor gives. */
  initialised(value: CodeValue, path: string | null): CodeValue {
    const made = path === null ? value : this.called(path, { positional: [], named: dict(), open: false }, this.place())
    const isDict = path !== null && !path.startsWith("[]")
    const members = this.initialiser(isDict)
    if (made._tag !== "Request" && made._tag !== "Client") return made._tag === "Unknown" ? members : made
    if (members._tag === "Dict") for (const [name, member] of members.entries) this.rules.assign(made, name, member)
    return made
  }

  /** `do |request|` or `{ |request|` after a call that begins a request. */
  bindsBlock(value: CodeValue): boolean {
    return (
      (value._tag === "Request" || value._tag === "Client") &&
      this.rules.syntax.bareCalls &&
      ((this.next.kind === "word" && this.next.text === "do") || this.is("{")) &&
      this.is("|", 1) &&
      this.ahead(2).kind === "word"
    )
  }

  bindBlock(value: CodeValue): void {
    const isBraced = this.is("{")
    this.names.set(this.ahead(2).text, value)
    this.at += 4
    if (isBraced) this.statements("}")
  }
}
