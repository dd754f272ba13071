import { CHALLENGE_SCHEME, CREDENTIAL_SCHEME } from './challenges.js';
import {
  getAll,
  getFirst,
  getLocationHost,
  PAYMENT_REQUEST_HEADERS,
  PAYMENT_RESPONSE_HEADERS,
  type HeaderValues,
} from './headers.js';

/** Signs of a payment in a visit. */
export interface PaymentSigns {
  /** Asks for a payment or offers one. */
  isPayment: boolean;
  /** Redirects to another host, which could be a toll host. */
  isRedirect: boolean;
}

type ObservedHeaders = {
  response_status_code?: number | null | undefined;
  request_headers?: HeaderValues;
  response_headers?: HeaderValues;
};

const NONE: PaymentSigns = { isPayment: false, isRedirect: false };
const REQUEST_NAMES: ReadonlySet<string> = new Set(PAYMENT_REQUEST_HEADERS);
const RESPONSE_NAMES: ReadonlySet<string> = new Set(PAYMENT_RESPONSE_HEADERS.filter((name) => name !== 'location'));
const LOWER_CASE_A = 97;

/** Returns the signs of a payment. Reads only the names of headers in most visits. */
export function getPaymentSigns(visit: ObservedHeaders): PaymentSigns {
  const { response_status_code: status, request_headers: request, response_headers: response } = visit;
  let isPayment = status === 402;
  for (const name in request) {
    const header = toLowerCase(name);
    if (!REQUEST_NAMES.has(header)) continue;
    if (header === 'authorization' && !hasMatch(request, header, CREDENTIAL_SCHEME)) continue;
    isPayment = true;
  }
  for (const name in response) {
    const header = toLowerCase(name);
    if (!RESPONSE_NAMES.has(header)) continue;
    if (header === 'www-authenticate' && !hasMatch(response, header, CHALLENGE_SCHEME)) continue;
    isPayment = true;
  }
  const isRedirect = status != null && status >= 300 && status < 400 && leavesHost(visit);
  return isPayment || isRedirect ? { isPayment, isRedirect } : NONE;
}

const hasMatch = (headers: HeaderValues, name: string, pattern: RegExp): boolean =>
  getAll(headers, name).some((value) => pattern.test(value));

/** Most names are already in lower case. Names that start with a capital letter are converted. */
const toLowerCase = (name: string): string => (name.charCodeAt(0) < LOWER_CASE_A ? name.toLowerCase() : name);

function leavesHost({ request_headers: request, response_headers: response }: ObservedHeaders): boolean {
  const target = getLocationHost(getFirst(response, 'location'));
  return target !== null && target !== (getFirst(request, 'host') ?? getFirst(request, ':authority'))?.toLowerCase();
}
