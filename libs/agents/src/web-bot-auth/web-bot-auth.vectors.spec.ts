import { readFileSync } from 'node:fs';
import type { AgentDefinition } from '../agent.js';
import type { KeyAnswer, KeyDirectories } from '../evidence-sources.js';
import { normalizeHeaders } from '../headers.js';
import { readKeySet } from './key-set.js';
import { webBotAuth } from './web-bot-auth.js';

interface Answer {
  status: number;
  body: string;
}

interface Vector {
  id: string;
  title: string;
  now: number;
  body: { request_headers: Record<string, unknown>; request_path?: string; request_method?: string };
  directories: Record<string, Answer>;
  policy: { reject_test_keys: boolean };
  expected: { wba: string; reason: string };
}

const file = new URL('../../vectors/web-bot-auth.json', import.meta.url);
const vectors = (JSON.parse(readFileSync(file, 'utf8')) as { web_bot_auth: Vector[] }).web_bot_auth;

/** Answers as the directories of a vector would, at once. */
function directoriesOf(answers: Record<string, Answer>): KeyDirectories {
  return {
    find(url, keyId): KeyAnswer {
      const answer = answers[url];
      if (answer === undefined) return { fault: 'directory_unreachable' };
      if (answer.status >= 300 && answer.status < 400) return { fault: 'directory_redirected' };
      if (answer.status !== 200) return { fault: 'directory_bad_status' };
      try {
        const key = readKeySet(answer.body).get(keyId);
        return key === undefined ? { fault: 'key_not_in_directory' } : { key };
      } catch {
        return { fault: 'directory_malformed' };
      }
    },
  };
}

const AGENT = { id: 'example', token: 'ExampleBot' } as AgentDefinition;

describe('webBotAuth on the vectors', () => {
  it.each(vectors.map((vector) => [vector.id, vector.title, vector] as const))('%s: %s', (_id, _title, vector) => {
    const verdict = webBotAuth(
      {
        headers: normalizeHeaders(vector.body.request_headers),
        method: vector.body.request_method ?? null,
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
  });

  it('are all there', () => {
    expect(vectors).toHaveLength(54);
  });
});
