import type { RuleFormat } from '../../../api/rules-queries.js';

/** Names and files of the formats. Not loaded with the search parameters, which are part of the first load. */
export const FORMATS: Record<RuleFormat, { label: string; file: string; mediaType: string }> = {
  blocks: { label: 'One group per agent', file: 'robots.txt', mediaType: 'text/plain' },
  grouped: { label: 'One group for all agents', file: 'robots.txt', mediaType: 'text/plain' },
  'nginx-map': { label: 'nginx', file: 'agent-traffic.conf', mediaType: 'text/plain' },
  apache: { label: 'Apache', file: 'agent-traffic.conf', mediaType: 'text/plain' },
  caddy: { label: 'Caddy', file: 'agent-traffic.caddy', mediaType: 'text/plain' },
  haproxy: { label: 'HAProxy', file: 'agent-traffic.map', mediaType: 'text/plain' },
  json: { label: 'User-Agent tokens as JSON', file: 'agents.json', mediaType: 'application/json' },
  text: { label: 'User-Agent tokens, one per line', file: 'agents.txt', mediaType: 'text/plain' },
};
