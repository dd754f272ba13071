import { styleText } from 'node:util';
import { getVerdictLabel, type IdentificationResult } from '#libs/agents/vocabulary';
import type { EnrichedVisit } from '#libs/contracts';
import { localTime, truncate, escapeInvisible } from './terminal-text.js';

type Style = Parameters<typeof styleText>[0];

/** Icons and styles for results. The icons distinguish results without color. */
const RESULT_STYLES: Record<IdentificationResult, { icon: string; style: Style }> = {
  verified: { icon: '✔', style: 'green' },
  verification_failed: { icon: '✖', style: ['red', 'bold'] },
  not_verifiable: { icon: '?', style: 'yellow' },
  unknown_agent: { icon: '·', style: 'dim' },
};
/** Widths of the columns before the request, in characters. An IPv6 address can be longer. */
const WIDTHS = { time: 19, verdict: 21, agent: 34, status: 6, address: 15 };

/** Column labels for the lines of {@link formatVisit}. */
export const VISIT_HEADER = [
  'Time'.padEnd(WIDTHS.time),
  'Verdict'.padEnd(WIDTHS.verdict),
  'Agent'.padEnd(WIDTHS.agent),
  'Status'.padEnd(WIDTHS.status),
  'Address'.padEnd(WIDTHS.address),
  'Request',
].join('  ');

/**
 * Formats a visit as one line with the columns of {@link VISIT_HEADER}. Shows the User-Agent of unknown agents. Uses
 * colors if the terminal supports them and NO_COLOR isn't set.
 */
export function formatVisit({ occurred_at, client_address, visit, identification }: EnrichedVisit): string {
  const { text, style } = formatVerdict(identification.result);
  const { agent_token: token, agent_type_name: type } = identification;
  const agent = token === null ? (userAgent(visit.request_headers) ?? '-') : `${token}${type ? ` (${type})` : ''}`;
  const status = visit.response_status_code;
  const statusStyle = status == null || status < 400 ? 'reset' : status >= 500 ? 'red' : 'yellow';
  return [
    styleText('dim', localTime(occurred_at)),
    styleText(style, text.padEnd(WIDTHS.verdict)),
    styleText(style, truncate(escapeInvisible(agent), WIDTHS.agent).padEnd(WIDTHS.agent)),
    styleText(statusStyle, String(status ?? '-').padEnd(WIDTHS.status)),
    styleText('dim', escapeInvisible(client_address ?? '-').padEnd(WIDTHS.address)),
    `${escapeInvisible(visit.request_method)} ${escapeInvisible(visit.request_path)}`,
  ].join('  ');
}

/** Returns a result's icon and label. Results that this release doesn't know are treated as unknown agents. */
export function formatVerdict(result: IdentificationResult): { text: string; style: Style } {
  const knownResult = Object.hasOwn(RESULT_STYLES, result) ? result : 'unknown_agent';
  return {
    text: `${RESULT_STYLES[knownResult].icon} ${getVerdictLabel(knownResult).toLowerCase()}`,
    style: RESULT_STYLES[knownResult].style,
  };
}

function userAgent(headers: EnrichedVisit['visit']['request_headers']): string | undefined {
  const name = Object.keys(headers).find((name) => name.toLowerCase() === 'user-agent');
  const value = name === undefined ? undefined : [headers[name]].flat()[0];
  return value == null ? undefined : String(value);
}
