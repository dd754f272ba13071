import type { PolicyMatch } from './policy.js';

/** Response to a visitor whose request isn't let through. */
export interface DecisionResponse {
  status: number;
  headers: Record<string, string>;
  /** Explanation for the visitor. */
  text: string;
}

export const REFUSAL_TEXT = 'The rules of this site do not let this agent fetch this page.';

/**
 * Returns the response that a matching rule determines, or null if the request is let through.
 *
 * @param retryAfterSeconds Seconds until the visitor can send the next request, or 0 if it is within its allowance.
 */
export function toResponse({ action, location }: PolicyMatch, retryAfterSeconds: number): DecisionResponse | null {
  switch (action.kind) {
    case 'allow':
      return null;
    case 'slow_down':
      return retryAfterSeconds === 0 ? null : tooManyRequests(retryAfterSeconds);
    case 'redirect': {
      const target = toAscii(location!);
      return { status: action.status, headers: { Location: target }, text: `This page is at ${target}` };
    }
    case 'charge': {
      const url = new URL(action.url).href;
      const text = `This agent has to pay for this page: ${action.price}. See ${url}`;
      return { status: 402, headers: { Link: `<${url}>; rel="payment"` }, text };
    }
    case 'refuse':
      return { status: 403, headers: {}, text: REFUSAL_TEXT };
  }
}

const tooManyRequests = (seconds: number): DecisionResponse => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  text: `This agent has sent too many requests. Try again in ${seconds} s.`,
});

/** Percent-encodes all characters that aren't allowed in a URI. */
const toAscii = (text: string): string => text.toWellFormed().replaceAll(/[^!-~]/gu, encodeURIComponent);
