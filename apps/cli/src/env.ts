/** Settings from environment variables. Blank variables count as unset. */
export interface CliEnv {
  /** Data folder of a running instance, which contains its URL and admin key. */
  dataDir: string | undefined;
  url: string | undefined;
  /** API key (`agk_…`). */
  apiKey: string | undefined;
  /** Project token (`agt_…`). */
  token: string | undefined;
  /** Port of the service whose container or systemd unit the command runs in. */
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
