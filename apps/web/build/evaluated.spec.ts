import { join } from 'node:path';
import { MAX_SAMPLED_VISITS } from '#libs/contracts';
import { evaluated } from './evaluated.js';

const CONSTANTS = join(import.meta.dirname, '../src/api/constants.ts');

async function load(id: string): Promise<{ code: unknown; watched: string[] }> {
  const watched: string[] = [];
  const { load } = evaluated(CONSTANTS) as unknown as { load: (this: object, id: string) => Promise<unknown> };
  return { code: await load.call({ addWatchFile: (file: string) => watched.push(file) }, id), watched };
}

it('replaces a module with its values, and watches its sources', async () => {
  const { code, watched } = await load(CONSTANTS);
  expect(code).toContain(`export const MAX_SAMPLED_VISITS = ${MAX_SAMPLED_VISITS};\n`);
  expect(code).not.toContain('import');
  expect(watched).toContainEqual(expect.stringContaining('libs/contracts/src/agent-type.ts'));
});

it('ignores other modules', async () => {
  expect(await load(join(import.meta.dirname, 'evaluated.ts'))).toEqual({ code: null, watched: [] });
});
