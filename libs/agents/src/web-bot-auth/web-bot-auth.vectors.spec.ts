import type { AgentDefinition } from '../agent.js';
import { createDirectories, VECTORS } from '../../../../test/kit/vectors.js';
import { normalizeHeaders } from '../headers.js';
import { verifyWebBotAuth } from './web-bot-auth.js';

const AGENT = { id: 'example', token: 'ExampleBot' } as AgentDefinition;

describe('verifyWebBotAuth with test vectors', () => {
  it.each(VECTORS.map((vector) => [vector.id, vector.title, vector] as const))(
    'matches the expected verdict for %s: %s',
    (_id, _title, vector) => {
      const verdict = verifyWebBotAuth(
        {
          headers: normalizeHeaders(vector.body.request_headers),
          method: null,
          path: vector.body.request_path ?? null,
          at: vector.now * 1_000,
        },
        {
          directories: createDirectories(vector.directories),
          getAgentByDirectory: (url) => (/^https:\/\/(?:signature-agent|browser)\.test\//.test(url) ? AGENT : null),
          hostNames: [],
          allowTestKeys: !vector.policy.reject_test_keys,
          userAgentAgent: AGENT,
        },
      );
      expect(verdict).toMatchObject({ outcome: vector.expected.wba, reason: vector.expected.reason });
    },
  );

  it('covers all 54 test vectors', () => {
    expect(VECTORS).toHaveLength(54);
  });
});
