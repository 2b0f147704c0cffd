/** Why there is no report. */
export class AuditError extends Error {
  override readonly name = "AuditError"
  /** `usage`: a wrong option, URL or rubric, and nothing was fetched; `not_audited`: the site could not be audited. */
  readonly code: "usage" | "not_audited"

  constructor(code: AuditError["code"], message: string) {
    super(message)
    this.code = code
  }
}
