const LOCATION = /^(?:https?:)?\/\/([^/?#\\\s@]{1,260})(?:[/?#]|$)/i;

export type HeaderValues = Readonly<Record<string, unknown>> | null | undefined;

/** Returns the first value of a header as text, or null if it's missing. */
export const getFirst = (headers: HeaderValues, name: string): string | null => getAll(headers, name)[0] ?? null;

/** Returns all values of a header as text. */
export function getAll(headers: HeaderValues, name: string): string[] {
  for (const key in headers) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const values = [headers[key]].flat().filter((value) => value != null);
    if (values.length > 0) return values.map(String);
  }
  return [];
}

/** Request headers with which an agent offers to pay or proves that it may read the page. */
export const PAYMENT_REQUEST_HEADERS = [
  'crawler-exact-price',
  'crawler-max-price',
  'payment-signature',
  'x-payment',
  'authorization',
] as const;

/** Response headers that ask for a payment or report its result. */
export const PAYMENT_RESPONSE_HEADERS = [
  'crawler-price',
  'crawler-charged',
  'crawler-error',
  'payment-required',
  'x-payment-required',
  'payment-response',
  'x-payment-response',
  'payment-receipt',
  'www-authenticate',
  'location',
] as const;

/** Returns the host of an absolute redirect in lower case, with its port, or null. */
export const getLocationHost = (location: string | null): string | null =>
  location === null ? null : (LOCATION.exec(location)?.[1]?.toLowerCase() ?? null);
