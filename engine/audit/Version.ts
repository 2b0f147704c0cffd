/** The version of this engine, in reports, archives and `User-Agent`s; the package's (a test holds them equal). */
export const ENGINE_VERSION = "0.1.0"
