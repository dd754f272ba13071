import { styleText } from 'node:util';
import { RESULTS, type IdentificationResult } from '#libs/agents/vocabulary';
import type { EnrichedVisit } from '#libs/contracts';
import { localTime, shortened, visible } from './terminal-text.js';

type Style = Parameters<typeof styleText>[0];

/** Icons and styles of results. The icons distinguish them without color. */
const LOOKS: Record<IdentificationResult, { icon: string; style: Style }> = {
  verified: { icon: '✔', style: 'green' },
  verification_failed: { icon: '✖', style: ['red', 'bold'] },
  not_verifiable: { icon: '?', style: 'yellow' },
  unknown_agent: { icon: '·', style: 'dim' },
};
const VERDICT_WIDTH = 16;
const AGENT_WIDTH = 40;

/**
 * Formats a visit as one line: time, verdict, agent and its type, request, status and client address. Uses colors
 * unless the terminal or NO_COLOR prevents it. Unknown agents are shown by their User-Agent.
 */
export function visitLine({ occurred_at, client_address, visit, identification }: EnrichedVisit): string {
  const { text, style } = verdict(identification.result);
  const { agent_token: token, agent_type_name: type } = identification;
  const agent = token === null ? (userAgent(visit.request_headers) ?? '-') : `${token}${type ? ` (${type})` : ''}`;
  const status = visit.response_status_code;
  return [
    styleText('dim', localTime(occurred_at)),
    styleText(style, text.padEnd(VERDICT_WIDTH)),
    styleText(style, shortened(visible(agent), AGENT_WIDTH).padEnd(AGENT_WIDTH)),
    visible(visit.request_method),
    visible(visit.request_path),
    status == null ? '-' : styleText(status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'reset', String(status)),
    styleText('dim', visible(client_address ?? '-')),
  ].join('  ');
}

/** Returns the icon and label of a result. Results that this release doesn't know count as unknown agents. */
export function verdict(result: IdentificationResult): { text: string; style: Style } {
  const known = Object.hasOwn(LOOKS, result) ? result : 'unknown_agent';
  return { text: `${LOOKS[known].icon} ${RESULTS[known].label.toLowerCase()}`, style: LOOKS[known].style };
}

function userAgent(headers: EnrichedVisit['visit']['request_headers']): string | undefined {
  const name = Object.keys(headers).find((name) => name.toLowerCase() === 'user-agent');
  const value = name === undefined ? undefined : [headers[name]].flat()[0];
  return value == null ? undefined : String(value);
}
