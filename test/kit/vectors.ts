import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKeySet, type KeyAnswer, type KeyDirectories } from '#libs/agents';

interface DirectoryAnswer {
  status: number;
  body: string;
}

export interface Vector {
  id: string;
  title: string;
  endpoint: 'agent-identifications' | 'agent-verifications';
  /** Seconds since the epoch. */
  now: number;
  body: { request_headers: Record<string, string>; request_path?: string };
  directories: Record<string, DirectoryAnswer>;
  policy: { reject_test_keys: boolean };
  expected: { wba: string; reason: string; result: string };
}

const FILE = join(import.meta.dirname, '../../libs/agents/vectors/web-bot-auth.json');

export const VECTORS = (JSON.parse(readFileSync(FILE, 'utf8')) as { web_bot_auth: Vector[] }).web_bot_auth;

/** All key directories that signers in the vectors name. */
export const VECTOR_DIRECTORIES = [
  'https://signature-agent.test',
  'https://signature-agent.test/jwks.json',
  'https://signature-agent.test/keys',
  'https://browser.test',
];

/** Returns key directories that respond like those of a vector. */
export function directoriesOf(answers: Vector['directories']): KeyDirectories {
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
