import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKeySet, type KeyResult, type KeyDirectories } from '#libs/agents';

interface DirectoryResponse {
  status: number;
  body: string;
}

export interface Vector {
  id: string;
  title: string;
  endpoint: 'agent-identifications' | 'agent-verifications';
  /** Seconds since the Unix epoch. */
  now: number;
  body: { request_headers: Record<string, string>; request_path?: string };
  directories: Record<string, DirectoryResponse>;
  policy: { reject_test_keys: boolean };
  expected: { wba: string; reason: string; result: string };
}

const FILE = join(import.meta.dirname, '../../libs/agents/vectors/web-bot-auth.json');

export const VECTORS = (JSON.parse(readFileSync(FILE, 'utf8')) as { web_bot_auth: Vector[] }).web_bot_auth;

/** All key directories that signers in the vectors refer to. */
export const VECTOR_DIRECTORIES = [
  'https://signature-agent.test',
  'https://signature-agent.test/jwks.json',
  'https://signature-agent.test/keys',
  'https://browser.test',
];

/** Returns key directories that respond as specified in a vector. */
export function createDirectories(responses: Vector['directories']): KeyDirectories {
  return {
    find(url, keyId): KeyResult {
      const response = responses[url];
      if (response === undefined) return { fault: 'directory_unreachable' };
      if (response.status >= 300 && response.status < 400) return { fault: 'directory_redirected' };
      if (response.status !== 200) return { fault: 'directory_bad_status' };
      try {
        const key = parseKeySet(response.body).get(keyId);
        return key === undefined ? { fault: 'key_not_in_directory' } : { key };
      } catch {
        return { fault: 'directory_malformed' };
      }
    },
  };
}
