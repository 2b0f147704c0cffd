import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"

/** An environment variable; a value that `parse` does not take fails in one line that names the variable. */
export const setting = <A>(
  name: string,
  fallback: string,
  parse: (text: string) => Result.Result<A, string>
): Config.Config<A> =>
  Config.String(name).pipe(
    Config.withDefault(fallback),
    Config.mapEffect((text) => {
      const parsed = parse(text)
      return Result.isSuccess(parsed)
        ? Config.succeed(parsed.success)
        : Config.fail(new SourceError({ message: `${name}: ${parsed.failure}` }))
    })
  )
