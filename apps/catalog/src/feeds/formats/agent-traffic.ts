import { firstObjectMatches, isObject, type FormatReader } from './format-reader.js';

/** Agent Traffic's own format, as produced by `agents export`. */
export const agentTraffic: FormatReader = {
  format: 'agent-traffic',
  recognizes: (document) => firstObjectMatches(document, (entry) => 'token' in entry || 'user_agent_patterns' in entry),
  entries: (document) =>
    (document as unknown[]).values().map((record) => ({
      name: isObject(record) && typeof record['token'] === 'string' ? record['token'] : '',
      record,
    })),
};
