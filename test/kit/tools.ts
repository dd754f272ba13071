import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Folder of the package with large tools, which `npm ci --prefix test/tools` installs. */
export const TOOLS = join(import.meta.dirname, '../tools');

/** Loads a package of that folder. */
export const tools = createRequire(join(TOOLS, 'package.json'));
