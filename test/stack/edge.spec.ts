import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  answerFastlyChallenge,
  CONSOLE_INTERFACE,
  STATEMENT_KEYS_PATH,
  DRAIN_LIMITS,
  PUBLIC_INTERFACE,
  receiveDrain,
} from '#libs/contracts';
import { DRAIN_SOURCES } from '#libs/drains';

const EDGE = readFileSync(join(import.meta.dirname, '../../deploy/nginx/default.conf.template'), 'utf8');

describe('edge proxy', () => {
  it('routes exactly the public operations and health checks to the gateway', () => {
    const [, list] = /location ~ \^\/\(([^)]+)\)\$ \{\s+proxy_pass http:\/\/gateway;/.exec(EDGE)!;
    const paths = list!.split('|').map((name) => `/${name}`);
    const operations = PUBLIC_INTERFACE.operations.filter((each) => each !== receiveDrain).map(({ path }) => path);
    expect(paths.toSorted()).toEqual([...operations, '/healthz', '/readyz'].toSorted());
  });

  it('routes drains to the gateway with its body limit and without logging their URLs', () => {
    const [, pattern, settings] = /location ~ (\^\/\(drains\S+) \{([^}]+)\}/.exec(EDGE)!;
    for (const source of DRAIN_SOURCES) expect(`/drains/${source}`).toMatch(new RegExp(pattern!));
    expect(answerFastlyChallenge.path).toMatch(new RegExp(pattern!));
    expect(settings).toContain('proxy_pass http://gateway;');
    expect(settings).toContain(`client_max_body_size ${DRAIN_LIMITS.bytes / 2 ** 20}m;`);
    expect(settings).toContain('error_log /dev/null;');
    expect(EDGE).toContain('access_log off;');
  });

  it('routes console operations to the console by their common prefix', () => {
    expect(EDGE).toMatch(/location \/api \{\s+proxy_pass http:\/\/console;/);
    const others = CONSOLE_INTERFACE.operations.map(({ path }) => path).filter((path) => !path.startsWith('/api/'));
    // Paths without a location of their own are routed to the console.
    expect(others).toEqual([STATEMENT_KEYS_PATH]);
    expect(EDGE).toMatch(/location \/ \{\s+proxy_pass http:\/\/console;/);
  });
});
