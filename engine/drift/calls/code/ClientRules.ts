import type { CallClient } from "../../ShownCall.ts"
import type { CodeRequest, CodeValue, Dict } from "./CodeValue.ts"
import type { Syntax } from "./Syntax.ts"

/** What a function is given. */
export interface CallArguments {
  readonly positional: ReadonlyArray<CodeValue>
  readonly named: Dict
  /** More may be given than is listed. */
  readonly open: boolean
}

/** Where a call is, and how it begins a request. */
export interface CallPlace {
  readonly begin: (client: CallClient) => CodeRequest
}

/** How the clients of a language are called. What a rule does not know it gives `undefined` for. */
export interface ClientRules {
  readonly syntax: Syntax
  /** The value of a function or constructor; `path` has dots whatever the language has. */
  readonly callFunction: (path: string, given: CallArguments, place: CallPlace) => CodeValue | undefined
  readonly callMethod: (
    receiver: CodeValue,
    name: string,
    given: CallArguments,
    place: CallPlace
  ) => CodeValue | undefined
  /** A member that is read, and a name with dots whose value is known, such as `http.MethodPost`. */
  readonly member: (receiver: CodeValue, name: string) => CodeValue | undefined
  readonly named: (path: string) => CodeValue | undefined
  /** `receiver.name = value`. */
  readonly assign: (receiver: CodeValue, name: string, value: CodeValue) => void
}
