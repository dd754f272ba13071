import { styleText } from 'node:util';
import type { EnrichedVisit, IdentificationResult } from '#libs/contracts';
import { localTime, shortened, visible } from './terminal-text.js';

type Style = Parameters<typeof styleText>[0];

/** How a result is shown: never by colour alone. */
export const VERDICTS: Record<IdentificationResult, { icon: string; word: string; style: Style }> = {
  verified: { icon: '✔', word: 'verified', style: 'green' },
  verification_failed: { icon: '✖', word: 'spoofed', style: ['red', 'bold'] },
  not_verifiable: { icon: '?', word: 'not verifiable', style: 'yellow' },
  unknown_agent: { icon: '·', word: 'unknown', style: 'dim' },
};
const WORD_WIDTH = 14;
const AGENT_WIDTH = 40;

/**
 * One line for a visit: time, verdict, agent and its type, request, status and client address. Coloured by verdict
 * where the terminal and NO_COLOR allow. A visit that is not identified shows the start of its user agent.
 */
export function visitLine({ occurred_at, client_address, visit, identification }: EnrichedVisit): string {
  const { icon, word, style } = VERDICTS[identification.result] ?? VERDICTS.unknown_agent;
  const { agent_token: token, agent_type_name: type } = identification;
  const agent = token === null ? (userAgent(visit.request_headers) ?? '-') : `${token}${type ? ` (${type})` : ''}`;
  const status = visit.response_status_code;
  return [
    styleText('dim', localTime(occurred_at)),
    styleText(style, `${icon} ${word.padEnd(WORD_WIDTH)}`),
    styleText(style, shortened(visible(agent), AGENT_WIDTH).padEnd(AGENT_WIDTH)),
    visible(visit.request_method),
    visible(visit.request_path),
    status == null ? '-' : styleText(status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'reset', String(status)),
    styleText('dim', visible(client_address ?? '-')),
  ].join('  ');
}

function userAgent(headers: EnrichedVisit['visit']['request_headers']): string | undefined {
  const name = Object.keys(headers).find((name) => name.toLowerCase() === 'user-agent');
  const value = name === undefined ? undefined : [headers[name]].flat()[0];
  return value == null ? undefined : String(value);
}
