/** The configuration file that is used without a flag, in the working directory. */
export const CONFIG_FILE = "docgauge.yaml"
