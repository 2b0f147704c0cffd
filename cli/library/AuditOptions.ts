/** How to audit; all of it is optional. */
export interface AuditOptions {
  /** A folder with the static build of the site, which is audited without a network. */
  readonly folder?: string
  /** The path of another rubric. */
  readonly rubric?: string
  /** Load plugins that the rubric names by path or package: they are code that runs in this process. */
  readonly allowPlugins?: boolean
  /** Pages to read, 1 to 200; 20 by default. */
  readonly sample?: number
  /** Requests at once to a host, 1 to 6; 6 by default. */
  readonly concurrency?: number
  /** Time for fetching, 1 to 3,600; 100 by default. */
  readonly timeoutSeconds?: number
  /** Of a preview: the production origin that its links point to. */
  readonly canonicalOrigin?: string
  /** Headers for the origin of the URL alone, such as `authorization`. They are in no report. */
  readonly headers?: Readonly<Record<string, string>>
  /** Connect to an address for a name, as `curl --resolve`: `docs.example.com:443:127.0.0.1:8443`. */
  readonly resolve?: ReadonlyArray<string>
  readonly allowPrivate?: boolean
  readonly allowHttp?: boolean
  /** Send requests through the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name. They look names up, so only names are checked. */
  readonly environmentProxies?: boolean
  /** Ends the audit; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
  /** Called as the audit goes on. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/** How far an audit is. */
export interface AuditProgress {
  /** Responses so far. */
  readonly responses: number
  /** Criteria that were measured, and all criteria; 0 until the first was. */
  readonly measured: number
  readonly criteria: number
}
