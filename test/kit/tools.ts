import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Folder of the package with large tools. Installed by `npm ci --prefix test/tools`. */
export const TOOLS = join(import.meta.dirname, '../tools');

/** Loads a package from that folder. */
export const tools = createRequire(join(TOOLS, 'package.json'));
