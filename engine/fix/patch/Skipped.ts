/** A file that was not written. */
export interface Skipped {
  /** Relative to the folder. */
  readonly path: string
  /** A clause with the file as its subject, and what to do. */
  readonly reason: string
}

export const UNREADABLE_FILE = "can't be read, so it was left as it is. Check its permissions."
