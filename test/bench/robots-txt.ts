/** Renders robots.txt for all agents, compared with a server that returns the same text from memory. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT_TYPES } from '../../libs/contracts/src/agent-type.ts';
import { compare, startServer, type Row } from './compare.ts';

const OPERATION = { path: '/robots-txts', body: { agent_types: AGENT_TYPES } };

export interface RobotsTxtBench {
  what: string;
  ours: string;
  token: string;
}

export async function measureRobotsTxt({ what, ours, token }: RobotsTxtBench): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
  try {
    const file = join(folder, 'robots.txt');
    const text = await fetchText(ours, token);
    await writeFile(file, text);
    const theirs = await startServer([join(import.meta.dirname, 'peers/bare-text.ts')], { TEXT_FILE: file });
    if ((await fetchText(theirs, token)) !== text) throw new Error('Both servers must return the same text');
    const peer = `bare Fastify, same ${text.length} bytes`;
    return await compare({ what, peer, ours, theirs, token, operation: OPERATION, goal: 0.6 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fetchText(url: string, token: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url + OPERATION.path, {
    method: 'POST',
    headers,
    body: JSON.stringify(OPERATION.body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}
