import { join } from 'node:path';
import { MAX_SAMPLED_VISITS } from '#libs/contracts';
import { inlineExports } from './inline-exports.js';

const CONSTANTS_FILE = join(import.meta.dirname, '../src/api/constants.ts');

async function load(id: string): Promise<{ code: unknown; watched: string[] }> {
  const watched: string[] = [];
  const { load } = inlineExports(CONSTANTS_FILE) as unknown as { load: (this: object, id: string) => Promise<unknown> };
  return { code: await load.call({ addWatchFile: (file: string) => watched.push(file) }, id), watched };
}

it('replaces a module with its exported values and watches its sources', async () => {
  const { code, watched } = await load(CONSTANTS_FILE);
  expect(code).toContain(`export const MAX_SAMPLED_VISITS = ${MAX_SAMPLED_VISITS};\n`);
  expect(code).not.toContain('import');
  expect(watched).toContainEqual(expect.stringContaining('libs/contracts/src/agent-type.ts'));
});

it('ignores unlisted modules', async () => {
  expect(await load(join(import.meta.dirname, 'inline-exports.ts'))).toEqual({ code: null, watched: [] });
});
