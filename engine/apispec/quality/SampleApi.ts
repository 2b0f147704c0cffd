import type { ApiDescription, SampleApiName } from "../ApiSpec.ts"

interface SampleApi {
  /** Matches the API's name. */
  readonly name: RegExp
  /** Matches paths of the sample. */
  readonly path: RegExp
}

/** Samples that come with a tool and are often published by mistake. */
export const SAMPLE_APIS: Readonly<Record<SampleApiName, SampleApi>> = {
  pet_store: { name: /pet[ -]?store/i, path: /^\/pets?(?:$|\/)/ },
  plant_store: { name: /plant[ -]?store/i, path: /^\/plants?(?:$|\/)/ }
}

const NAMES: ReadonlyArray<SampleApiName> = ["pet_store", "plant_store"]

/** The sample that a description is: by its name *and* its paths, since a real API may share one of them. */
export const sampleApiOf = (
  { description, title }: Pick<ApiDescription, "title" | "description">,
  operations: ReadonlyArray<{ readonly path: string }>
): SampleApiName | null => {
  const said = `${title}\n${description.slice(0, 2_000)}`
  return (
    NAMES.find(
      (name) => SAMPLE_APIS[name].name.test(said) && operations.some(({ path }) => SAMPLE_APIS[name].path.test(path))
    ) ?? null
  )
}
