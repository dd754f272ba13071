import { isListOf, isObject, type FormatReader } from './format.js';

/** Agent Traffic's own format, as written by `agents export`. */
export const agentTraffic: FormatReader = {
  format: 'agent-traffic',
  recognizes: (document) => isListOf(document, (entry) => 'token' in entry || 'user_agent_patterns' in entry),
  entries: (document) =>
    (document as unknown[]).values().map((record) => ({
      name: isObject(record) && typeof record['token'] === 'string' ? record['token'] : '',
      record,
    })),
};
