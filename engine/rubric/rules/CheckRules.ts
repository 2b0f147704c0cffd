import type { Draft } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import type { Linked } from "./PluginRules.ts"
import { remedyDiagnostics } from "./RemedyRules.ts"
import { textDiagnostics } from "./TextRules.ts"

/** Lint rules that `rubric check` reports and an audit ignores. */
export const checkDiagnostics = (draft: Draft, linked: ReadonlyArray<Linked<unknown>>): ReadonlyArray<Diagnostic> => [
  ...textDiagnostics(draft),
  ...remedyDiagnostics(draft, linked)
]
