/** What the environment says where the options say nothing; nothing in runtimes that have no environment. */
export function readEnv(): { url: string | undefined; token: string | undefined } {
  const variables = typeof process === 'undefined' ? undefined : process.env;
  return {
    url: variables?.['AGENT_TRAFFIC_URL']?.trim() || undefined,
    token: variables?.['AGENT_TRAFFIC_TOKEN']?.trim() || undefined,
  };
}
