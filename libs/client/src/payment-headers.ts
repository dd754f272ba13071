const REDACTED = '[redacted]';
const CREDENTIAL_SCHEME = /^[ \t]*(payment|license)(?:[ \t]|$)/i;
const MAX_LENGTH = 16_384;
const OPTION_FIELDS = ['scheme', 'network', 'asset', 'amount'];
const MAX_FIELD_LENGTH = 80;

type JsonObject = Record<string, unknown>;

/**
 * Returns the value to report for a redacted header: the scheme of a payment or license, the price of an x402 payment
 * without the signature and wallets, or `[redacted]`.
 *
 * @param value Value before it's truncated.
 */
export function redactPayment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return REDACTED;
  switch (name.toLowerCase()) {
    case 'authorization': {
      const scheme = CREDENTIAL_SCHEME.exec(value)?.[1]?.toLowerCase();
      return scheme === undefined ? REDACTED : `${scheme === 'payment' ? 'Payment' : 'License'} ${REDACTED}`;
    }
    case 'payment-signature':
    case 'x-payment':
      return reduceX402(value);
    default:
      return REDACTED;
  }
}

/** Returns the price in an x402 payment of version 1 or 2 as JSON. */
function reduceX402(value: string): string {
  try {
    const payment = JSON.parse(atob(value)) as { x402Version?: unknown; accepted?: JsonObject; payload?: unknown };
    const version = payment.x402Version === 1 || payment.x402Version === 2 ? payment.x402Version : null;
    if (typeof payment.accepted === 'object') {
      return JSON.stringify({ x402Version: version, accepted: pick(payment.accepted, OPTION_FIELDS) });
    }
    const { authorization } = payment.payload as { authorization: JsonObject };
    return JSON.stringify({
      x402Version: version,
      ...pick(payment as JsonObject, ['scheme', 'network']),
      payload: { authorization: pick(authorization, ['value']) },
    });
  } catch {
    return REDACTED;
  }
}

function pick(object: JsonObject, fields: readonly string[]): JsonObject {
  const isShown = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_FIELD_LENGTH;
  return Object.fromEntries(fields.map((field) => [field, object[field]]).filter(([, value]) => isShown(value)));
}
