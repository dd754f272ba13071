export function readEnv(): { url: string | undefined; token: string | undefined } {
  const variables = typeof process === 'undefined' ? undefined : process.env;
  return {
    url: variables?.['AGENT_TRAFFIC_URL']?.trim() || undefined,
    token: variables?.['AGENT_TRAFFIC_TOKEN']?.trim() || undefined,
  };
}
