import {
  REQUESTED_FORMATS,
  RESPONSE_FORMATS,
  type CacheResult,
  type RequestedFormat,
  type ResponseFormat,
} from '#libs/contracts';
import type { PaymentSigns } from '#libs/payments';

/** Bits in the `response_flags` column. */
export const RESPONSE_FLAGS = {
  /** The response size includes the headers. */
  sent: 1,
  hit: 2,
  miss: 4,
  /** The site asked for a payment, or the agent offered one. Bits 3 to 8 contain {@link FORMAT_BITS}. */
  payment: 512,
  /** Redirect to another host. */
  redirect: 1_024,
} as const;

/** Bits of the `response_flags` column that contain a format: 0 for none, or its 1-based position in the list. */
export const FORMAT_BITS = {
  requested: { shift: 3, formats: REQUESTED_FORMATS },
  response: { shift: 6, formats: RESPONSE_FORMATS },
};
/** Mask of a format after the shift. */
export const FORMAT_MASK = 7;

/** Returns the number that stands for a format in `response_flags`. */
export const toFormatNumber = (name: keyof typeof FORMAT_BITS, format: RequestedFormat | ResponseFormat): number =>
  format === 'none' ? 0 : (FORMAT_BITS[name].formats as readonly string[]).indexOf(format) + 1;

interface ResponseFacts extends PaymentSigns {
  /** True if the response size includes the headers. */
  isSent: boolean;
  cache: CacheResult | null;
  requested: RequestedFormat;
  response: ResponseFormat;
}

/** Returns the value of the `response_flags` column. To save space, it's null if no flag is set. */
export const toResponseFlags = ({
  isSent,
  cache,
  requested,
  response,
  isPayment,
  isRedirect,
}: ResponseFacts): number | null =>
  (isSent ? RESPONSE_FLAGS.sent : 0) |
    (cache === null ? 0 : RESPONSE_FLAGS[cache]) |
    (toFormatNumber('requested', requested) << FORMAT_BITS.requested.shift) |
    (toFormatNumber('response', response) << FORMAT_BITS.response.shift) |
    (isPayment ? RESPONSE_FLAGS.payment : 0) |
    (isRedirect ? RESPONSE_FLAGS.redirect : 0) || null;
