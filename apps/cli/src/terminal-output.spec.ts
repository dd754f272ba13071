import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { until } from '../../../test/kit/instance.js';
import { run } from './main.js';

/** Contains C0 and C1 codes that move the cursor, set the clipboard, hide text and reverse its direction. */
const HOSTILE =
  'a\u00ad\u200b\u200f\u2028\u2029\u2060\u2064\ufeff\u{e0000}\u{e0041}\u{e007f}\u001b]52;c;eA==\u0007\u001b[2J\u009b31m\u009d0;x\u009c\u007f\u202e\u2066b\r\u001b[31m';
/** Matches characters that must not reach a terminal. Line breaks, tabs and the CLI's own styles are removed first. */
const RAW = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b-\u200f\u2028\u2029\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;
const findRaw = (shown: string): string[] | null => stripStyles(shown).match(RAW);
const stripStyles = (shown: string): string => shown.replaceAll(/\r?\n|\t|\p{Cc}\[\d+m/gu, '');
const ID = '01890000-0000-7000-8000-000000000000';

const visit = {
  id: ID,
  project_id: ID,
  received_at: '2026-11-21T08:30:00.000Z',
  occurred_at: HOSTILE,
  visit: { request_path: HOSTILE, request_method: HOSTILE, request_headers: { [HOSTILE]: HOSTILE } },
  identification: {
    result: 'verified',
    agent_token: HOSTILE,
    client_address: HOSTILE,
    evidence: {
      steps: [],
      user_agent_match: HOSTILE,
      user_agent_token: HOSTILE,
      client_address_reason: HOSTILE,
      client_address_source: HOSTILE,
    },
    method: HOSTILE,
    reason: HOSTILE,
  },
};
const agent = {
  token: HOSTILE,
  name: HOSTILE,
  type: HOSTILE,
  operator: HOSTILE,
  description: HOSTILE,
  origin: HOSTILE,
  url: HOSTILE,
  id: ID,
  user_agent_patterns: [HOSTILE],
  sample_user_agents: [HOSTILE],
  verification: { signature_agents: [HOSTILE] },
  sources: [HOSTILE],
  robots_token: HOSTILE,
  changed_at: HOSTILE,
  feed: { id: ID, name: HOSTILE, accepted_at: HOSTILE, gone_at: HOSTILE },
};
const letter = {
  id: ID,
  project_id: ID,
  failed_at: HOSTILE,
  replayed_at: null,
  reason: HOSTILE,
  step: HOSTILE,
  detail: HOSTILE,
  size: 3,
  topic: HOSTILE,
  headers: { [HOSTILE]: HOSTILE },
  value_base64: Buffer.from(HOSTILE).toString('base64'),
};
const named = { id: ID, name: HOSTILE, site_address: HOSTILE, time_zone: HOSTILE, created_at: HOSTILE };
const token = {
  ...named,
  prefix: HOSTILE,
  revoked_at: null,
  expires_at: null,
  token_suffix: HOSTILE,
  key: HOSTILE,
  token: HOSTILE,
  allowed_networks: [HOSTILE],
  purposes: [HOSTILE],
};
const identification = {
  ...visit.identification,
  agent_type_name: HOSTILE,
  operator_name: HOSTILE,
  agent_url: HOSTILE,
  catalog_version: HOSTILE,
};

const RESPONSES: [RegExp, unknown][] = [
  [/\/visits\/export/, HOSTILE],
  [/\/visits\/stream/, `event: skipped\ndata: ${HOSTILE.replaceAll('\r', '')}\n\n`],
  [/\/visits/, { visits: [visit], next_cursor: null }],
  [/\/dead-letters\/./, letter],
  [/\/dead-letters/, { dead_letters: [letter], next_cursor: null }],
  [/\/agents\/export/, { agents: [agent] }],
  [/\/agents\/./, agent],
  [/\/agents/, { agents: [agent], next_cursor: null, revision: 1 }],
  [/\/tokens/, { tokens: [token] }],
  [
    /\/api-keys/,
    {
      api_keys: [
        { ...token, created_by: HOSTILE, acts_as: HOSTILE, scopes: ['read'], project_ids: null, last_used_at: null },
      ],
    },
  ],
  [/\/projects$/, { projects: [named] }],
  [/\/projects\/./, named],
  [/\/identifications/, { identification, client_address: HOSTILE }],
  [/robots-txts|token-lists/, HOSTILE],
];

let server: Server;
let url: string;
let isRejecting = false;
beforeAll(async () => {
  server = createServer((request, response) => {
    const body = RESPONSES.find(([path]) => path.test(request.url!.split('?')[0]!))?.[1];
    if (isRejecting || body === undefined) {
      response.writeHead(422, { 'content-type': 'application/problem+json' });
      const errors = [{ pointer: HOSTILE, detail: HOSTILE }];
      response.end(JSON.stringify({ type: HOSTILE, title: HOSTILE, status: 422, detail: HOSTILE, errors }));
    } else if (typeof body === 'string') {
      const isStream = body.startsWith('event');
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'text/plain; charset=utf-8' });
      // Write single bytes to split multi-byte characters.
      for (const byte of Buffer.from(body)) response.write(Buffer.of(byte));
      if (!isStream) response.end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

let output: string;
const isTerminal = { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY };
beforeEach(() => {
  output = '';
  isRejecting = false;
  Object.assign(process.env, { AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_API_KEY: 'agk_x', AGENT_TRAFFIC_TOKEN: 'agt_x' });
  const write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    output += Buffer.from(text as string).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') (done as () => void)();
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) jest.spyOn(stream, 'write').mockImplementation(write as never);
  for (const name of ['log', 'error'] as const) {
    jest.spyOn(console, name).mockImplementation((text: string) => void write(`${text}\n`));
  }
});
afterEach(() => {
  jest.restoreAllMocks();
  setTerminal(isTerminal.stdout, isTerminal.stderr);
});

function setTerminal(stdout: boolean, stderr: boolean): void {
  Object.defineProperty(process.stdout, 'isTTY', { value: stdout, configurable: true, writable: true });
  Object.defineProperty(process.stderr, 'isTTY', { value: stderr, configurable: true, writable: true });
}

async function getOutput(command: string, onTerminal: boolean): Promise<string> {
  setTerminal(onTerminal, onTerminal);
  output = '';
  const started = run(command.split(' '), '/nowhere');
  if (command.startsWith('visits tail')) {
    await until(() => /skipped/.test(output), { condition: 'the visits are shown', explain: () => output });
    process.emit('SIGINT');
  }
  await started;
  return output;
}

const DATA = [
  'visits tail --last 1 --json',
  'visits export --format csv',
  'visits export --format ndjson',
  'dead-letters list --json',
  `dead-letters show ${ID} --json`,
  `dead-letters show ${ID} --raw`,
  'agents list --json',
  'agents show X --json',
  'projects list --json',
  'tokens list --json',
  'api-keys list --json',
];
const TEXT = [
  'visits tail --last 1',
  'dead-letters list',
  `dead-letters show ${ID}`,
  'agents list',
  'agents show X',
  'projects list',
  'tokens list',
  'api-keys list',
  'identify --header X:y',
];

it.each([...DATA, ...TEXT])('prints no control characters to a terminal: %s', async (command) => {
  const shown = await getOutput(command, true);
  expect(shown).toContain('52;c;eA==');
  expect(shown).toMatch(/\\(?:x|u00)1b\[31m/);
  expect(findRaw(shown)).toBeNull();
});

it.each(DATA)('prints raw data to files and pipes: %s', async (command) => {
  const shown = await getOutput(command, false);
  expect(shown).toContain('\u009b31m');
  expect(shown).toContain('\u202e');
});

it('prints escaped but equivalent JSON to a terminal', async () => {
  const piped = await getOutput('agents show X --json', false);
  const shown = await getOutput('agents show X --json', true);
  expect(shown).not.toBe(piped);
  expect(JSON.parse(shown)).toEqual(JSON.parse(piped));
});

it.each([...DATA, ...TEXT])('prints errors without control characters: %s', async (command) => {
  if (command.startsWith('visits tail')) return;
  isRejecting = true;
  const shown = await getOutput(command, true);
  expect(shown).toContain('52;c;eA==');
  expect(findRaw(shown)).toBeNull();
});
