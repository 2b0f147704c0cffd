import * as Schema from "effect/Schema"

const text = (description: string) => Schema.String.annotate({ description })

/** A cited request and its response, as the report keeps it: enough to see what the finding saw and to ask again. */
export const ReportedExchange = Schema.Struct({
  method: Schema.Literals(["GET", "POST"]).annotate({ description: "The method of the request." }),
  url: text("The URL that was requested.").annotate({ format: "uri" }),
  accept: text("The request's `Accept` header."),
  agent: Schema.Literals(["docgauge", "browser"]).annotate({
    description: "The `User-Agent` that was sent: our own, or the one for comparing with what browsers get."
  }),
  request_body: Schema.optionalKey(text("The body of a `POST`, sent as `application/json`.")),
  redirects: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        url: text("The URL that redirected."),
        status: Schema.Int.annotate({ description: "The HTTP status." }),
        location: text("The URL that it led to.")
      }).annotate({ identifier: "FollowedRedirect", description: "A redirect that was followed." })
    ).annotate({ description: "Redirects that were followed, in order." })
  ),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null` if there was no response." }),
  fault: Schema.optionalKey(text("Why there was no response, as a name such as `first_byte_timeout`.")),
  failure: Schema.optionalKey(text("The same in words.")),
  headers: Schema.Array(Schema.String).annotate({
    description:
      "The response's headers, each as `name: value`. Values of cookies and credentials are never kept; `date`, request ids and other headers that change with every response are left out; long values end in `…`."
  }),
  body: Schema.NullOr(Schema.String).annotate({
    description:
      "The first 2,048 bytes of the body as text, or fewer; `null` if it is empty, not text, or was left out for lack of space."
  }),
  body_bytes: Schema.Int.annotate({ description: "Length of the whole body in bytes, without content coding." }),
  body_cut: Schema.Boolean.annotate({ description: "Whether `body` is less than the whole body." })
}).annotate({ identifier: "CitedExchange", description: "A cited request and its response." })
export type ReportedExchange = typeof ReportedExchange.Type
