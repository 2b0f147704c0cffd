import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { RunProgress } from "./Run.ts"

/** What a run under way is shown with besides its counts, as its row keeps it until the run is over. */
const Steps = Schema.fromJsonString(
  Schema.Struct({
    criteria: Schema.Array(Schema.String),
    urls: Schema.Array(Schema.String)
  })
)

const decode = Schema.decodeUnknownOption(Steps)

/** The steps of a progress as text; `null` without any. */
export const packSteps = ({ criteria = [], urls = [] }: RunProgress): string | null =>
  criteria.length + urls.length === 0 ? null : JSON.stringify({ criteria, urls })

/** The steps of such a text; none of one that cannot be read. */
export const unpackSteps = (text: string | null): Pick<RunProgress, "criteria" | "urls"> =>
  text === null ? {} : Option.getOrElse(decode(text), () => ({}))
