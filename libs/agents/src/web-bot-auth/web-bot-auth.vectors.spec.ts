import type { AgentDefinition } from '../agent.js';
import { directoriesOf, VECTORS } from '../../../../test/kit/vectors.js';
import { normalizeHeaders } from '../headers.js';
import { webBotAuth } from './web-bot-auth.js';

const AGENT = { id: 'example', token: 'ExampleBot' } as AgentDefinition;

describe('webBotAuth with test vectors', () => {
  it.each(VECTORS.map((vector) => [vector.id, vector.title, vector] as const))(
    'judges %s: %s',
    (_id, _title, vector) => {
      const verdict = webBotAuth(
        {
          headers: normalizeHeaders(vector.body.request_headers),
          method: null,
          path: vector.body.request_path ?? null,
          at: vector.now * 1_000,
        },
        {
          directories: directoriesOf(vector.directories),
          agentOfDirectory: (url) => (/^https:\/\/(?:signature-agent|browser)\.test\//.test(url) ? AGENT : null),
          hostNames: [],
          allowTestKeys: !vector.policy.reject_test_keys,
          userAgentAgent: AGENT,
        },
      );
      expect(verdict).toMatchObject({ outcome: vector.expected.wba, reason: vector.expected.reason });
    },
  );

  it('includes all vectors', () => {
    expect(VECTORS).toHaveLength(54);
  });
});
