/** What the command line takes from its environment; a blank value is the same as none. */
export interface CliEnv {
  /** Folder of a running instance, where its address and admin key are kept. */
  dataDir: string | undefined;
  /** Base address of the instance. */
  url: string | undefined;
  /** API key (`agk_…`). */
  apiKey: string | undefined;
  /** Project token (`agt_…`). */
  token: string | undefined;
  /** Port of the service in whose container or unit the command runs. */
  port: string | undefined;
}

export function readEnv(variables: NodeJS.ProcessEnv = process.env): CliEnv {
  const read = (name: string): string | undefined => variables[name]?.trim() || undefined;
  return {
    dataDir: read('DATA_DIR'),
    url: read('AGENT_TRAFFIC_URL'),
    apiKey: read('AGENT_TRAFFIC_API_KEY'),
    token: read('AGENT_TRAFFIC_TOKEN'),
    port: read('PORT'),
  };
}
