import type { SpecInput } from "../ApiSpec.ts"
import type { Json } from "../text/Json.ts"

/** Places of an API description, named in one of three ways. */
export interface PlaceQuery {
  /**
   * A JSON pointer (RFC 6901) such as `/info`, in which a segment `*` is every member or item: `/components/schemas/*`; empty: the
   * whole document. `operations` is every HTTP operation of an OpenAPI or Swagger description, with the parameters of its path.
   */
  readonly at: string
  /** Of objects only these members; all of them where it is missing. */
  readonly only?: ReadonlyArray<string>
}

/** A value of an API description. */
export interface SpecPlace {
  /** Its JSON pointer in the document. */
  readonly at: string
  /**
   * References (`$ref`) on the way, at its end and two levels below it are followed: those of an operation's parameters, body and responses. Deeper
   * ones are there as they are written; a place that is named with its whole way has them followed.
   */
  readonly value: Json
}

/** What a query of the description finds. */
export interface SpecPlaces {
  readonly _tag: "SpecPlaces"
  /** The description is JSON or YAML: GraphQL has no such places. */
  readonly isDocument: boolean
  /** In document order; at most 5 000, of at most 4 000 000 characters of JSON together. */
  readonly places: ReadonlyArray<SpecPlace>
  /** `false`: there may be others, in files that were not read or beyond those limits. */
  readonly complete: boolean
}

/** The files of a description, and what is asked of them. */
export interface PlacesInput extends SpecInput {
  readonly query: PlaceQuery
}

export const NO_PLACES: SpecPlaces = { _tag: "SpecPlaces", isDocument: false, places: [], complete: true }

/** Nothing, where a document could not be read within our limits. */
export const PLACES_UNREAD: SpecPlaces = { _tag: "SpecPlaces", isDocument: true, places: [], complete: false }
