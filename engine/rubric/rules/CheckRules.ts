import type { Draft } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import type { Linked } from "./PluginRules.ts"
import { remedyDiagnostics } from "./RemedyRules.ts"
import { textDiagnostics } from "./TextRules.ts"

/** What `rubric check` holds against a rubric, and an audit does not mind. */
export const checkDiagnostics = (draft: Draft, linked: ReadonlyArray<Linked<unknown>>): ReadonlyArray<Diagnostic> => [...textDiagnostics(draft), ...remedyDiagnostics(draft, linked)]
