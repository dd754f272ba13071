import type { OauthbearerProviderResponse } from 'kafkajs';
import type { KafkaSasl } from './kafka-options.js';

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Requests an access token with the client credentials grant (RFC 6749, section 4.4). kafkajs calls this for each
 * connection and whenever brokers require reauthentication.
 */
export async function fetchOauthToken({
  tokenUrl,
  clientId,
  clientSecret,
  scope,
}: Extract<KafkaSasl, { mechanism: 'oauthbearer' }>): Promise<OauthbearerProviderResponse> {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(tokenUrl, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
  });
  if (!response.ok) throw new Error(`${tokenUrl} returned no token for Kafka: it responded with ${response.status}`);
  const { access_token: value } = (await response.json()) as { access_token?: unknown };
  if (typeof value !== 'string') throw new Error(`${tokenUrl} returned no token for Kafka: access_token is missing`);
  return { value };
}
