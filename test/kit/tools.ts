import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Folder of the package with large tools. Installed by `npm ci --prefix test/tools`. */
export const TOOLS_FOLDER = join(import.meta.dirname, '../tools');

/** Loads packages from {@link TOOLS_FOLDER}. */
export const requireTool = createRequire(join(TOOLS_FOLDER, 'package.json'));
