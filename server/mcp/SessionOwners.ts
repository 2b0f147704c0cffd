/**
 * Who opened which session, so that nobody uses another's, and which have to end: those that lay idle for long, and the
 * idlest where there are too many. The protocol's own table of sessions has neither owners nor an end.
 */
export interface SessionOwners {
  /** The protocol revision that the owner's session speaks, `null` where it is not the owner's; a look keeps it from being idle. */
  readonly revisionOf: (sessionId: string, owner: string, now: number) => string | null
  /** Notes a new session; tells which have to end for it. */
  readonly opened: (sessionId: string, owner: string, revision: string, now: number) => ReadonlyArray<string>
  readonly ended: (sessionId: string) => void
  /** Tells which sessions have to end because nobody uses them, and forgets them. */
  readonly idle: (now: number) => ReadonlyArray<string>
  readonly size: () => number
}

export interface SessionBounds {
  /** Of one owner. */
  readonly own: number
  readonly all: number
  /** Milliseconds without a message. */
  readonly idleMs: number
}

export const SESSION_BOUNDS: SessionBounds = { own: 16, all: 2_000, idleMs: 60 * 60_000 }

interface Session {
  readonly owner: string
  readonly revision: string
  readonly usedAt: number
}

export const makeSessionOwners = (bounds: SessionBounds): SessionOwners => {
  // A Map keeps the order of insertion, and a session goes in anew when it is used: the first is the idlest.
  const sessions = new Map<string, Session>()

  const use = (sessionId: string, session: Session): void => {
    sessions.delete(sessionId)
    sessions.set(sessionId, session)
  }

  const drop = (sessionIds: ReadonlyArray<string>): ReadonlyArray<string> => {
    for (const sessionId of sessionIds) sessions.delete(sessionId)
    return sessionIds
  }

  return {
    revisionOf: (sessionId, owner, now) => {
      const session = sessions.get(sessionId)
      if (session === undefined || session.owner !== owner) return null
      use(sessionId, { ...session, usedAt: now })
      return session.revision
    },
    opened: (sessionId, owner, revision, now) => {
      use(sessionId, { owner, revision, usedAt: now })
      const own = [...sessions].flatMap(([id, session]) => (session.owner === owner ? [id] : []))
      const tooMany = own.slice(0, Math.max(0, own.length - bounds.own))
      drop(tooMany)
      return [...tooMany, ...drop([...sessions.keys()].slice(0, Math.max(0, sessions.size - bounds.all)))]
    },
    ended: (sessionId) => { sessions.delete(sessionId) },
    idle: (now) => drop([...sessions].flatMap(([id, { usedAt }]) => (usedAt + bounds.idleMs <= now ? [id] : []))),
    size: () => sessions.size
  }
}
