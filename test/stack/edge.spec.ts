import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLE_INTERFACE, PUBLIC_INTERFACE } from '#libs/contracts';

const EDGE = readFileSync(join(import.meta.dirname, '../../deploy/nginx/default.conf.template'), 'utf8');

describe('the edge', () => {
  it('leads exactly the public operations, and the health checks, to the gateway', () => {
    const [, list] = /location ~ \^\/\(([^)]+)\)\$ \{\s+proxy_pass http:\/\/gateway;/.exec(EDGE)!;
    const paths = list!.split('|').map((name) => `/${name}`);
    const operations = PUBLIC_INTERFACE.operations.map(({ path }) => path);
    expect(paths.toSorted()).toEqual([...operations, '/healthz', '/readyz'].toSorted());
  });

  it("leads the console's operations to the console, by their common start", () => {
    expect(EDGE).toMatch(/location \/api \{\s+proxy_pass http:\/\/console;/);
    expect(CONSOLE_INTERFACE.operations.filter(({ path }) => !path.startsWith('/api/'))).toEqual([]);
  });
});
