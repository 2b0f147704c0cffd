/** The formats of `docgauge --format`. Written out, so that the types of the package, which have this one, need no other package. */
export type RenderFormat = "text" | "json" | "markdown" | "junit" | "sarif" | "html" | "github"
